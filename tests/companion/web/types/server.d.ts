/**
 * What the server sends to the page and the page to it: docs/reference/http.md in types.
 *
 * They are for the check alone: no browser loads this file, and no server serves it.
 */
declare namespace Server {
  /** The number of a seat, from 0. */
  type Seat = number;
  /** The number of a side, from 0. */
  type Side = number;
  /** A key by its name, such as `7`, `GO` or `hold:UNDO`, or a card such as `7H`. */
  type Key = string;
  /** A card by its rank, with its suit where that is known: `10`, `10H`. */
  type Card = string;

  type Phase = "idle" | "new-game" | "cut" | "deal" | "starter" | "play" | "show" | "crib" | "game-over" | "match-over";
  type Entry = "cards" | "peg" | "dealt";
  type Kind =
    | "fifteen"
    | "pair"
    | "pair-royal"
    | "double-pair-royal"
    | "run"
    | "flush"
    | "nobs"
    | "thirty-one"
    | "go"
    | "last"
    | "heels";

  // --- the state: GET /api/state, and the event `state` ---

  interface State {
    seq: number;
    phase: Phase;
    rules: string;
    house: Record<string, string>;
    target: number;
    entry: Entry;
    seats: SeatState[];
    sides: SideState[];
    match: Match;
    dealer: Seat | null;
    turn: Seat | null;
    starter: Card | null;
    count: number;
    pile: Card[];
    last: Outcome | null;
    automatic: Reason[];
    prompt: string;
    question: string | null;
    message: string | null;
    winner: Side | null;
    can_undo: boolean;
    can_redo: boolean;
  }

  interface SeatState {
    name: string;
    side: Side;
    cards_left: number;
    /** What plays here; null for a person. */
    level: string | null;
  }

  interface SideState {
    name: string;
    /** The same in a sentence: partners as "Ann and Cid". */
    said: string;
    front: number;
    back: number;
    games: number;
    points: number;
    skunks: number;
    spread: number;
  }

  interface Match {
    /** `open`, `first-to-N` or `best-of-N`. */
    kind: string;
    winners: Side[];
  }

  interface Outcome {
    side: Side;
    points: number;
    call: string;
    scores: Score[];
    /** What the player counted, where players count for themselves. */
    claimed: number | null;
    why: Reason[];
  }

  interface Score {
    kind: Kind;
    points: number;
    cards: Card[];
    why: Reason;
  }

  /** A rule, whose it is, and that source's words. */
  interface Reason {
    rule: string;
    text: string;
    source: string;
    words: string;
  }

  // --- what only the page shows: GET /api/page, and the event `page` ---

  interface Page {
    seq: number;
    /** All that can be pressed now, the likeliest first. */
    choices: Choice[];
    /** The keys of the kit that make sense next, the likeliest first. */
    keys: Key[];
    /** The keys that are a side's now. */
    sides: Record<Key, Side>;
    table: TableOf;
    /** Whose game OK starts, on a club's night. */
    pairing: { night: string; round: number; games: number; board: number; players: string[]; rules: string } | null;
    result: Result | null;
    log: LogLine[];
    shower: Seat | null;
    hand: Hand | null;
    /** The seat whose computer player is thinking. */
    thinking: Seat | null;
    felt: Felt | null;
    /** The show that a player has just counted. */
    counted: OwnCount | null;
    /** The keys that would add to an amount. */
    amounts: Key[];
    number: NumberAsked | null;
    carry: Carry;
    names: string[];
    /** Where each side would be on average, while a setting shows it; empty elsewhere. */
    ghosts: (number | null)[];
    /** The value of each setting. */
    settings: Record<string, string>;
    trouble: string[];
  }

  /** What a card says without more, with real cards: that the show before it is pegged, or who leads. */
  interface Carry {
    /** By rank, the presses that it comes to, its own among them, and what they do. */
    keys: Record<Key, { presses: Key[]; label: string }>;
    /** The hands, or the crib, that the next card pegs first. */
    shows: { seat: Seat; crib: boolean; cards: Key[]; points: number }[];
    says: string;
  }

  /** A number that is asked for: `digit:0` to `digit:9` and `digit:erase` type it. */
  interface NumberAsked {
    /** What it is so far; null until a digit is typed. */
    value: number | null;
    /** Whether `step:-10`, `step:-1`, `step:+1` and `step:+10` lower and raise it. */
    steps: boolean;
  }

  /** Each side's chance of winning, by what everybody sees: GET /api/chances. */
  interface Chances {
    seq: number;
    /** Null without a game of two players. */
    chances: [number, number] | null;
  }

  /** The settings of the table and its device: GET /api/settings. */
  interface Settings {
    settings: Setting[];
    /** What can be asked of the machine itself. */
    power: Power[];
  }

  type Power = "restart" | "off";

  interface Setting {
    name: string;
    group: "automatic" | "table" | "device";
    title: string;
    text: string;
    value: string;
    choices: { value: string; title: string }[];
  }

  /** A hand that was counted: POST /api/count; without a starter the mean over all, of fewer cards just them. */
  type Counted = { cards: Card[]; starter: Card | null; crib: boolean } & (
    | { mean: number; least: number; most: number }
    | { points: number; call: string; may_be: number[]; tally: Tallied[] }
    | {}
  );

  /** What a player has counted, and what it is worth; `to` takes what was missed. */
  interface OwnCount {
    seat: Seat;
    crib: boolean;
    cards: Card[];
    starter: Card;
    claimed: number;
    points: number;
    pegged: number;
    missed: number;
    to: Side | null;
    tally: Tallied[];
  }

  /** A score of a count, as it is said, with the total so far. */
  interface Tallied {
    words: string;
    cards: Card[];
    points: number;
    total: number;
    why: Reason;
    /** How much of it a player has missed; only in what he has counted. */
    missed?: number;
  }

  /** What a game came to. */
  interface Result {
    sides: { pegging: number; hands: number; cribs: number; heels: number; muggins: number; other: number; lead: number }[];
    /** 1 if somebody was skunked, 2 for a double skunk. */
    skunk: 0 | 1 | 2;
    /** The scores after each deal. */
    course: number[][];
    best: { side: Side; deal: number; points: number; crib: boolean; cards: Card[]; starter: Card; call: string } | null;
  }

  /** What a page needs to draw a table. */
  interface TableOf {
    /** What to do, in a sentence without keys. */
    asks: string;
    /** The menu or the question that is open. */
    dialog: string | null;
    /** Which of its lines is selected, from 0. */
    line: number | null;
    /** The rules that the last thing rests on, where the dialog asks for them. */
    why: Reason[];
    /** Whether the next step is done without a key. */
    by_itself: boolean;
    /** From 1. */
    deal: number | null;
    /** What the computer is called in each seat, by its level; null for a person. */
    levels: (string | null)[];
    /** The cards played in this deal, count by count. */
    counts: { card: Card; seat: Seat; pips: number }[][];
    /** With real cards the hand or the crib that is counted. */
    shown: Card[];
    /** How many cards that hand or crib has. */
    size: number;
    /** What a flush or his nobs may add to it, and how many presses of FLNB change that. */
    suits: { says: string; is_on: boolean; presses: number }[];
  }

  interface Choice {
    key: Key;
    /** What the key is called on this kit. */
    name: string;
    label: string;
    short: string;
    likely: boolean;
    /** Whether the rank may be pressed with a suit, as `7H`. */
    takes_suit: boolean;
    /** Whose points it pegs or corrects; null where it does neither. */
    side: Side | null;
  }

  interface LogLine {
    /** The number of its event in the game. */
    seq: number;
    /** The number of its deal; null before the first. */
    deal: number | null;
    side: Side | null;
    points: number;
    pegged: Gain[];
    text: string;
    /** What is spoken of it; empty for nothing. */
    /** What a screen reader announces: whole sentences, cards in words. */
    announced: string;
    said: string;
    sound: Sound | null;
    scores: Score[];
    why: Reason[];
  }

  type Sound = "card" | "peg" | "fifteen" | "thirty-one" | "go" | "heels" | "win";

  interface Gain {
    side: Side;
    points: number;
  }

  /** The hand that lies open for its holder. */
  interface Hand {
    seat: Seat;
    cards: Card[];
    chosen: Card[];
    playable: Card[];
    /** How many cards are to be chosen; 0 while it is not this hand's turn. */
    wanted: number;
    may_hint: boolean;
    /** The hint that was asked for; its words are null, and its cards empty, while it is being worked out. */
    hint: { words: string | null; cards: Card[] } | null;
  }

  /** What all see of the cards that the computer deals. */
  interface Felt {
    /** How many cards each seat holds. */
    held: number[];
    /** How many cards lie face down in the crib. */
    crib: number;
    /** The card that each seat has cut for the deal; empty outside the cut. */
    cuts: (Card | null)[];
    /** The person whose closed hand OK opens. */
    hides: Seat | null;
    shown: Shown | null;
    /** What OK does; null where it does nothing. */
    ok: string | null;
    /** Whether a menu or a question is open, and no card can be chosen. */
    dialog: boolean;
  }

  /** The hand or crib that lies open for all. */
  interface Shown {
    seat: Seat;
    crib: boolean;
    cards: Card[];
    /** Null where players count for themselves. */
    points: number | null;
    tally: Tallied[];
  }

  // --- phones: GET /api/phone of a phone's page, GET /api/phones of the board's own ---

  type Role = "seat" | "keypad" | "scoreboard" | "watch";

  /** Which phone it is, and what it can be. */
  interface Phone {
    /** What people call it, from 1. */
    number: number;
    kind: string;
    role: Role | null;
    seat: Seat | null;
    /** What people enter in the game that is on, or set up. */
    entry: Entry;
    /** Each person's seat, with the number of the phone that has it. */
    seats: { seat: Seat; name: string; phone: number | null }[];
  }

  interface Phones {
    open: boolean;
    /** Where phones find the board; empty where they can't. */
    address: string;
    code: string;
    /** For how many seconds the code is still good. */
    seconds: number;
    /** The QR code, row by row, 1 where it is dark; empty where there is no address. */
    modules: number[][];
    trouble: string | null;
    /** Each person's seat, with the number of the phone that has it. */
    seats: { seat: Seat; name: string; phone: number | null }[];
    phones: { number: number; kind: string; role: Role | null; seat: Seat | null; name: string }[];
  }

  // --- past games and statistics: GET /api/games, GET /api/stats ---

  interface PastGames {
    games: PastRow[];
    /** What `before` is for the next ones. */
    next: number | null;
    all: number;
    /** Games that are not summarized yet. */
    pending: number;
  }

  interface PastRow {
    game: number;
    begun: string;
    /** The names under which it counts. */
    players: string[];
    /** What the computer is called in each seat, by its level; null for a person. */
    levels: (string | null)[];
    /** What the review says of each seat; null without one. */
    reviewed: { accuracy: number | null; mistakes: number }[] | null;
    /** Whether a review can be had. */
    reviewable: boolean;
    sides: { name: string; said: string; score: number }[];
    winner: Side | null;
    skunk: number;
    /** Whether it can't be looked at until it is won. */
    hidden: boolean;
    rules: string;
    target: number;
    entry: Entry;
    seats: string[];
    /** Why it can't be read; all after `players` is then missing. */
    error?: string;
  }

  interface PastGame {
    game: number;
    begun: string;
    rules: string;
    house: Record<string, string>;
    target: number;
    entry: Entry;
    seats: { name: string; side: Side; level: string | null }[];
    /** For each seat the title of the computer's level; null for a person. */
    levels: (string | null)[];
    sides: { name: string; said: string; score: number }[];
    winner: Side | null;
    skunk: number;
    reviewable: boolean;
    /** Whether lists and statistics leave it out. */
    removed: boolean;
    result: Result | null;
    lines: PastLine[];
  }

  /** A review of a game; while deals are still to be reviewed, there is nothing but `pending`. */
  interface Review {
    /** Deals that are still to be reviewed. */
    pending: number;
    names: string[];
    sides: string[];
    scores: number[];
    winner: Side | null;
    lacking: string[];
    players: Reviewed[];
    /** The chance of side 0; null with three players. */
    course: { cut_for_deal: number; luck: number; count: number; lost: number[]; deals: ReviewedDeal[] } | null;
    decisions: Decision[];
  }

  interface Reviewed {
    accuracy: number | null;
    discards: number | null;
    plays: number | null;
    lost: number;
    marks: Record<Mark, number>;
  }

  type Mark = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

  interface ReviewedDeal {
    deal: number;
    dealer: Side;
    before: number;
    cards: number;
    cut: number;
    play: number;
    count: number;
    discards: number[];
    plays: number[];
    after: number;
    known: boolean;
  }

  /** What can be decided, and what the player sees. */
  interface Position {
    which: "discard" | "play";
    players: number;
    dealer: number;
    scores: number[];
    hand: Card[];
    starter: Card | null;
    /** The cards of earlier counts. */
    before: Card[];
    pile: Card[];
    count: number;
    /** Best first. */
    options: Decided[];
  }

  interface Decision extends Position {
    /** The step of the game that it made. */
    number: number;
    deal: number;
    seat: number;
    what: string;
    mark: Mark;
    lost: number;
    lost_points: number;
    words: string;
    /** Its place in `options`. */
    chosen: number;
  }

  /** A mistake of a player, to practise. */
  interface Mistake extends Decision {
    game: number;
  }

  interface Mistakes {
    /** Deals of those games that are still to be reviewed; until then there are no mistakes. */
    pending: number;
    /** Worst first. */
    mistakes: Mistake[];
  }

  /** A hand or a crib to practise counting, with its count. */
  interface ToCount {
    cards: Card[];
    starter: Card;
    crib: boolean;
    points: number;
    call: string;
    tally: Tallied[];
  }

  interface Decided {
    cards: Card[];
    mark: Mark;
    /** What it costs beside the best: a chance of winning, or points where there is none. */
    lost: number;
    chance: number | null;
    /** What the game brings where skunks count, in plain games; null where that was not asked. */
    brings: number | null;
    points: number;
    hand: number;
    crib: number;
    play: number;
  }

  interface PastLine {
    /** From 1. */
    step: number;
    deal: number;
    text: string;
    pegged: Gain[];
  }

  interface PastStep {
    game: number;
    step: number;
    steps: number;
    text: string;
    state: State;
    table: TableOf;
    felt: Felt | null;
    hands: Card[][];
    crib: Card[];
    lit: Light[];
  }

  interface Players {
    players: PlayerRow[];
    usual: { dealer: number; pone: number };
    pending: number;
  }

  interface PlayerTotals {
    /** Whether somebody gave that name. */
    person: boolean;
    name: string;
    /** What the page calls it. */
    called: string;
    games: number;
    wins: number;
    skunks: number;
    double_skunks: number;
    skunked: number;
    double_skunked: number;
    /** Games won in a row; below 0 lost. */
    streak: number;
    tenths: { dealer: number | null; pone: number | null };
  }

  interface PlayerRow extends PlayerTotals {
    dealer: number | null;
    pone: number | null;
  }

  interface Player extends PlayerTotals {
    longest_wins: number;
    longest_losses: number;
    dealer: InRole;
    pone: InRole;
    five_card: { dealer: InRole; pone: InRole };
    usual: { dealer: number; pone: number };
    points: { pegging: number; hands: number; cribs: number; heels: number; muggins: number; other: number };
    /** Those of the last games that were reviewed, oldest first. */
    accuracies: { game: number; accuracy: number }[];
    best: BestShow[];
    results: { game: number; won: boolean; margin: number }[];
    against: { name: string; called: string; games: number; wins: number; skunks: number; skunked: number; spread: number }[];
    pending: number;
  }

  /** Averages a deal; null without one. */
  interface InRole extends Averages {
    deals: number;
    tenths: Averages;
  }

  interface Averages {
    all: number | null;
    pegging: number | null;
    hands: number | null;
    cribs: number | null;
    heels: number | null;
    muggins: number | null;
    other: number | null;
  }

  interface BestShow {
    game: number;
    deal: number;
    points: number;
    crib: boolean;
    cards: Card[];
    starter: Card;
    call: string;
  }

  // --- the rules: GET /api/rules ---

  interface Rules {
    presets: Preset[];
    options: Option[];
    levels: Choosable[];
    speeds: Choosable[];
    /** Who plays the computer alone, and who play with real cards or pass the screen round; empty for nobody's name. */
    setup: Game & { speed: string; automatic: string[]; you: string; people: string[] };
    playing: (Game & { over: boolean; people: string[] }) | null;
  }

  interface Preset {
    name: string;
    title: string;
    text: string;
    players: number[];
    source: string;
    /** For each number of players, every option and its value. */
    effective: Record<string, Record<string, string>>;
    /** Cards in a hand. */
    hand: number;
  }

  interface Option {
    name: string;
    group: string;
    title: string;
    text: string;
    /** Each, and whether it fits what is set up, perhaps with another option changed as well. */
    values: (Value & { fits: boolean })[];
    /** What other values it takes; empty where it takes none. */
    others: string;
    default: string;
    /** For each source, its words. */
    citations: Record<string, string>;
    /** For each source, the values that it speaks for. */
    says: Record<string, string[]>;
  }

  interface Value {
    value: string;
    text: string;
  }

  interface Choosable extends Value {
    title: string;
  }

  interface Game {
    rules: string;
    players: number;
    target: number;
    entry: Entry;
    names: string[];
    /** What plays in each seat; empty for a person. */
    levels: string[];
    /** The options that the house has changed. */
    options: Record<string, string>;
    /** Every option and its value. */
    effective: Record<string, string>;
  }

  // --- the kit: GET /api/kit ---

  interface Kit {
    name: string;
    /** In millimetres, as all places on it. */
    board: { width: number; height: number };
    tracks: Track[];
    /** The keypad's rows; an empty text where there is no key. */
    keys: Key[][];
    /** What is printed on a key, where that is not its name. */
    caps: Record<Key, string>;
    /** The side key that a rank key is where a rank means nothing. */
    sides: Record<Key, Key>;
    /** What a long press of a key is. */
    holds: Record<Key, { key: Key; seconds: number }>;
    leds: number;
    colours: [red: number, green: number, blue: number][];
  }

  interface Track {
    sides: Side[];
    holes: Hole[];
    games: { sides: Side[]; holes: Hole[] }[];
  }

  interface Hole {
    hole: number;
    led: number;
    x: number;
    y: number;
  }

  // --- the LEDs: the event `strip` ---

  interface Strip {
    leds: number;
    lit: Light[];
  }

  type Light = [led: number, red: number, green: number, blue: number];

  // --- what the page sends, and what is answered ---

  /** For each path the body that is posted to it, but for its `id`. */
  interface Requests {
    "/api/press": { key: Key; carry?: true };
    "/api/names": { names: string[] } | { you: string } | { rename: string; to: string };
    "/api/rules": Partial<Setup> & { menu?: boolean };
    "/api/game": Setup & { once?: boolean };
    "/api/settings": Record<string, string>;
    "/api/power": { power: Power };
  }

  interface Setup {
    rules: string;
    players: number;
    entry: Entry;
    options: Record<string, string>;
    levels?: string[];
    speed?: string;
    automatic?: string[];
    names?: string[];
  }

  /** Why nothing was done. */
  interface Refusal {
    error: string;
    why?: Reason;
    /** The same for whoever has buttons in place of keys; of rules that make no sense together, in the words of the page, with what would mend it. */
    told?: string;
    remedies?: Remedy[];
  }

  /** A value of an option that, chosen as well, makes a set-up fit. */
  interface Remedy extends Value {
    option: string;
    title: string;
  }

  /** The press was meant for another state than this one. */
  interface Overtaken {
    error: string;
    by: "person" | "machine";
    state: State;
  }

  type Answer = State | Refusal | Overtaken;
}
