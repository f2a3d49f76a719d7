// A stranger's program: it plays a deal through fetch, with the types that openapi-typescript has made.

import type { paths } from "./api";

declare const process: { argv: string[] };
const [, , url = "", most = ""] = process.argv;

type Json = "application/json";
type Read<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { [json in Json]: infer T } } } } } ? T : never;
type Sent<P extends keyof paths> = paths[P] extends { post: { requestBody: { content: { [json in Json]: infer T } } } } ? T : never;
type Answer<P extends keyof paths> = paths[P] extends { post: { responses: { 200: { content: { [json in Json]: infer T } } } } } ? T : never;

async function read<P extends keyof paths>(path: P): Promise<Read<P>> {
  return (await fetch(new URL(path, url))).json() as Promise<Read<P>>;
}

async function post<P extends keyof paths>(path: P, body: Sent<P>): Promise<Answer<P>> {
  const answer = await fetch(new URL(path, url), { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json() as Promise<Answer<P>>;
}

let state = await post("/api/game", { entry: "cards", names: ["Ann", "Bob"] });
let page = await read("/api/page");
for (let turn = 0; page.table.deal !== 2 && turn < Number(most); turn++) {
  const likely = page.choices.filter((choice) => choice.likely);
  const chosen = likely[turn % likely.length];
  if (!chosen) throw new Error("nothing is likely");
  state = await post("/api/press", { key: chosen.key, id: `press ${turn}`, if_seq: state.seq });
  page = await read("/api/page");
}
const counted = await post("/api/count", { cards: ["5C", "5D", "5S", "JH"], starter: "5H" });
console.log(JSON.stringify({ deal: page.table.deal, points: "points" in counted ? counted.points : null, state }));
