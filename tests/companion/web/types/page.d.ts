/** Types that the page's scripts share. They are for the check alone, as those of server.d.ts, which are written from the types in Python. */

type Signal<T> = import("/page/vendor/preact.js").Signal<T>;

/** A snapshot of the table: state and page of the same step. */
interface Moment {
  state: Server.State;
  page: Server.Page;
}

/** An input's or a list's event. */
type Changed = Event & { target: HTMLInputElement & HTMLSelectElement };

/** For each path what GET gives, as `useResource` loads it. */
interface Resources {
  "": never;
  "/api/chances": Server.Chances;
  "/api/games": Server.PastGames;
  "/api/phones": Server.Phones;
  "/api/rules": Server.Rules;
  "/api/settings": Server.Settings;
  "/api/stats": Server.Players;
  [games: `/api/games?${string}`]: Server.PastGames;
  [game: `/api/games/${number}`]: Server.PastGame;
  [review: `/api/games/${number}/review`]: Server.PastReview;
  [step: `/api/games/${number}/${number}`]: Server.PastStep;
  "/api/practice/counting": Server.ToCount;
  "/api/practice/discards": Server.Position;
  "/api/practice/pegging": Server.Position;
  [mistakes: `/api/practice/${string}/mistakes?${string}`]: Server.Mistakes;
  [player: `/api/stats/${string}`]: Server.Player;
}

declare namespace Server {
  interface Requests {
    "/api/join": JoinBody;
    "/api/phone": RoleBody;
  }

  /** What the dialog of a new game chooses. */
  interface Setup
    extends Required<Pick<GameBody, "rules" | "players" | "entry" | "options">>,
      Pick<GameBody, "levels" | "speed" | "automatic" | "names"> {}

  /** A hand or a crib to practise counting, with its count. */
  interface ToCount extends CountedPoints {
    starter: Card;
  }
}
