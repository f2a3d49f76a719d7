// Written by `PYTHONPATH=tests python -m support.wire`: change the types in Python.

declare namespace Server {
  /** A rule, its source, and a quote from that source. */
  interface Reason {
    rule: string;
    text: string;
    source: string;
    words: string;
  }
  type Kind = "fifteen" | "pair" | "pair-royal" | "double-pair-royal" | "run" | "flush" | "nobs" | "thirty-one" | "go" | "last" | "heels" | "three-for-last";
  /** The number of a seat, from 0. */
  type Seat = number;
  /** The number of a side, from 0. */
  type Side = number;
  /** A card: its rank, and its suit if that is known, such as `10` or `10H`. */
  type Card = string;
  interface PlainScore {
    kind: Kind;
    points: number;
    cards: Card[];
  }
  interface Score extends PlainScore {
    why: Reason;
  }
  type Entry = "cards" | "peg" | "dealt";
  interface SideScore {
    name: string;
    /** The name within a sentence; partners have both names. */
    said: string;
    score: number;
  }
  interface GameSummary {
    rules: string;
    target: number;
    entry: Entry;
    seats: string[];
    sides: SideScore[];
    winner: Side | null;
  }
  type Mark = "best" | "good" | "inaccuracy" | "mistake" | "blunder";
  type Which = "discard" | "play";
  /** An option of a decision. */
  interface Decided {
    cards: Card[];
    mark: Mark;
    /** The loss compared to the best option, as a chance of winning; in points if no chance is known. */
    lost: number;
    chance: number | null;
    /** The expected result of a plain game in which skunks count; null if it was not computed. */
    brings: number | null;
    points: number;
    hand: number;
    crib: number;
    play: number;
  }
  /** A decision as its player sees it. */
  interface Position {
    which: Which;
    players: number;
    dealer: Seat;
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
    /** The step of the game that the decision made. */
    number: number;
    deal: number;
    seat: Seat;
    what: string;
    mark: Mark;
    lost: number;
    lost_points: number;
    words: string;
    /** The index of the choice in `options`. */
    chosen: number;
  }
  /** A player in a review. */
  interface Reviewed {
    accuracy: number | null;
    discards: number | null;
    plays: number | null;
    lost: number;
    marks: Record<Mark, number>;
  }
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
  /** The chance of side 0. */
  interface Course {
    cut_for_deal: number;
    luck: number;
    count: number;
    lost: number[];
    deals: ReviewedDeal[];
  }
  interface PendingReview {
    /** The number of deals that are still to be reviewed. */
    pending: number;
  }
  /** The review of a game. */
  interface Review extends PendingReview {
    names: string[];
    sides: string[];
    scores: number[];
    winner: Side | null;
    lacking: string[];
    players: Reviewed[];
    /** Null with three players. */
    course: Course | null;
    decisions: Decision[];
  }
  /** A mistake of a player, to practise. */
  interface Mistake extends Decision {
    game: number;
  }
  /** Mistakes, worst first; none while deals are still to be reviewed. */
  interface Mistakes extends PendingReview {
    mistakes: Mistake[];
  }
  type Role = "seat" | "keypad" | "scoreboard" | "watch";
  /** The name of a key, such as `7`, `GO` or `hold:UNDO`, or a card such as `7H`. */
  type Key = string;
  /** Millimetres, as all positions. */
  interface Size {
    width: number;
    height: number;
  }
  interface Hole {
    hole: number;
    led: number;
    x: number;
    y: number;
  }
  interface GameHoles {
    sides: Side[];
    holes: Hole[];
  }
  interface Track {
    sides: Side[];
    holes: Hole[];
    games: GameHoles[];
  }
  interface Hold {
    key: Key;
    seconds: number;
  }
  /** The kit as the page draws it. */
  interface Kit {
    name: string;
    board: Size;
    tracks: Track[];
    /** The keypad by rows; an empty text stands for no key. */
    keys: Key[][];
    /** The labels that differ from the key's name. */
    caps: Record<Key, string>;
    /** The side key that a rank key is while ranks mean nothing. */
    sides: Record<Key, Key>;
    /** The meaning of each long press. */
    holds: Record<Key, Hold>;
    leds: number;
    /** Red, green and blue of each side. */
    colours: [number, number, number][];
  }
  interface Preset {
    name: string;
    title: string;
    text: string;
    players: number[];
    /** The number of cards in a hand. */
    hand: number;
    source: string;
    /** The value of every option, by the number of players. */
    effective: Record<string, Record<string, string>>;
  }
  interface Value {
    value: string;
    text: string;
  }
  interface OptionValue extends Value {
    /** Whether it fits the set-up, perhaps with another option changed. */
    fits: boolean;
  }
  interface Choosable extends Value {
    title: string;
  }
  interface Option {
    name: string;
    group: string;
    title: string;
    text: string;
    values: OptionValue[];
    /** A description of the other possible values, or an empty string. */
    others: string;
    default: string;
    /** The words of each source. */
    citations: Record<string, string>;
    /** The values that each source stands for. */
    says: Record<string, string[]>;
  }
  interface Game {
    rules: string;
    players: number;
    target: number;
    entry: Entry;
    names: string[];
    /** The computer's level in each seat; empty for a person. */
    levels: string[];
    /** The changes to the preset. */
    options: Record<string, string>;
    /** The value of every option. */
    effective: Record<string, string>;
  }
  interface GameSetup extends Game {
    speed: string;
    automatic: string[];
    /** The person's name in games against the computer; empty if not given. */
    you: string;
    people: string[];
  }
  interface Playing extends Game {
    people: string[];
    over: boolean;
  }
  /** The rules to choose from, and those of this game and the next. */
  interface Rules {
    presets: Preset[];
    options: Option[];
    levels: Choosable[];
    speeds: Choosable[];
    setup: GameSetup;
    playing: Playing | null;
  }
  /** A value of an option that would make a set-up fit. */
  interface Remedy extends Value {
    option: string;
    title: string;
  }
  interface SettingChoice {
    value: string;
    title: string;
  }
  interface Setting {
    name: string;
    group: "automatic" | "table" | "device";
    title: string;
    text: string;
    value: string;
    choices: SettingChoice[];
  }
  type Power = "restart" | "off";
  /** The settings of the table and its device. */
  interface Settings {
    settings: Setting[];
    /** The commands to the machine; empty unless it is a Pi. */
    power: Power[];
  }
  /** A person's seat, with the number of the phone that holds it. */
  interface PhoneSeat {
    seat: Seat;
    name: string;
    phone: number | null;
  }
  interface PhoneRole {
    /** The phone's number, from 1. */
    number: number;
    kind: string;
    role: Role | null;
    seat: Seat | null;
  }
  /** A phone, and the roles that it can have. */
  interface Phone extends PhoneRole {
    /** The entry mode of the game on the table, or of the next one. */
    entry: Entry;
    seats: PhoneSeat[];
  }
  interface ListedPhone extends PhoneRole {
    name: string;
  }
  /** The way to join, and the joined phones. */
  interface Phones {
    open: boolean;
    /** The address where phones join, or an empty string while they can't. */
    address: string;
    code: string;
    /** The time for which the code is valid. */
    seconds: number;
    /** The QR code, row by row, 1 for dark; empty without an address. */
    modules: number[][];
    trouble: string | null;
    seats: PhoneSeat[];
    phones: ListedPhone[];
  }
  /** An empty object. */
  interface Left {
  }
  type GamePhase = "idle" | "cut" | "deal" | "starter" | "play" | "show" | "crib" | "game-over" | "match-over";
  type Sound = "card" | "peg" | "fifteen" | "thirty-one" | "go" | "heels" | "win";
  type Phase = GamePhase | "new-game";
  interface SeatName {
    name: string;
    side: Side;
    /** The computer's level; null for a person. */
    level: string | null;
  }
  interface SeatState extends SeatName {
    cards_left: number;
  }
  interface SideState {
    name: string;
    /** The name within a sentence: partners as "Ann and Cid". */
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
    /** The match and its winner. */
    text: string;
  }
  interface Outcome {
    side: Side;
    points: number;
    call: string;
    scores: Score[];
    /** The player's own count, if players count for themselves. */
    claimed: number | null;
    why: Reason[];
  }
  /** The table. It contains public cards only. */
  interface State {
    /** A number that grows with each change of the game. */
    seq: number;
    phase: Phase;
    rules: string;
    /** The options that differ from the preset `rules`. */
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
  interface Choice {
    key: Key;
    /** The key's name on this kit. */
    name: string;
    label: string;
    /** A label of at most 17 characters. */
    short: string;
    likely: boolean;
    /** Whether the rank may be pressed with a suit, as `7H`. */
    takes_suit: boolean;
    /** The side whose points it pegs or corrects. */
    side: Side | null;
  }
  interface CountedPlay {
    card: Card;
    seat: Seat;
    pips: number;
  }
  interface SuitClaim {
    says: string;
    is_on: boolean;
    /** The number of presses of FLNB that change it. */
    presses: number;
  }
  /** The table and the open dialog. */
  interface TableOf {
    /** The prompt, without keys. */
    asks: string;
    dialog: string | null;
    /** The index of the dialog's selected line. */
    line: number | null;
    /** The rules behind the last event, if the dialog shows them. */
    why: Reason[];
    /** Whether the next step needs no key. */
    by_itself: boolean;
    /** The number of the deal, from 1. */
    deal: number | null;
    /** The computer's name in each seat; null for a person. */
    levels: (string | null)[];
    /** The cards played in this deal, count by count. */
    counts: CountedPlay[][];
    /** The known cards of the hand or crib being counted, with real cards. */
    shown: Card[];
    /** The number of cards in that hand or crib. */
    size: number;
    /** The points that a flush or his nobs may add to it. */
    suits: SuitClaim[];
  }
  /** The game of a club night that OK starts. */
  interface Pairing {
    night: string;
    round: number;
    games: number;
    board: number;
    players: string[];
    rules: string;
  }
  interface ShownGains {
    pegging: number;
    hands: number;
    cribs: number;
    heels: number;
    muggins: number;
    /** Penalties and corrections. */
    other: number;
  }
  interface SideResult extends ShownGains {
    /** The result for this side's own players, as "You lose by 12". */
    text: string;
    /** The side's longest lead. */
    lead: number;
  }
  interface CountedShow {
    deal: number;
    points: number;
    crib: boolean;
    cards: Card[];
    starter: Card;
    call: string;
  }
  interface SideShow extends CountedShow {
    side: Side;
    /** The show's points, owner and deal. */
    text: string;
  }
  type Skunk = 0 | 1 | 2;
  /** The summary of a finished game. */
  interface Result {
    /** The winner and the margin, as "Ann wins by 12, a skunk". */
    text: string;
    sides: SideResult[];
    /** 1 if a side was skunked, 2 for a double skunk. */
    skunk: Skunk;
    /** The scores after each deal. */
    course: number[][];
    best: SideShow | null;
  }
  interface Gain {
    side: Side;
    points: number;
  }
  interface LogLine {
    /** The number of the event in the game. */
    seq: number;
    /** The number of the deal; null before the first. */
    deal: number | null;
    side: Side | null;
    points: number;
    pegged: Gain[];
    text: string;
    /** Whole sentences for a screen reader, with cards in words. */
    announced: string;
    /** The text to speak; empty for none. */
    said: string;
    sound: Sound | null;
    scores: Score[];
    why: Reason[];
  }
  interface Hint {
    /** Null while the hint is being computed. */
    words: string | null;
    cards: Card[];
  }
  /** The hand that is open for its holder. */
  interface Hand {
    seat: Seat;
    cards: Card[];
    chosen: Card[];
    playable: Card[];
    /** The number of cards to choose; 0 if it is not this hand's turn. */
    wanted: number;
    may_hint: boolean;
    hint: Hint | null;
  }
  /** A line of a count, with the running total. */
  interface Tallied {
    words: string;
    cards: Card[];
    points: number;
    total: number;
    why: Reason;
    /** The points of this line that the player missed; only in the player's own count. */
    missed?: number;
  }
  /** The show that a player has just counted, with its value. */
  interface OwnCount {
    seat: Seat;
    crib: boolean;
    cards: Card[];
    starter: Card;
    claimed: number;
    points: number;
    pegged: number;
    missed: number;
    /** The side that takes the missed points. */
    to: Side | null;
    tally: Tallied[];
  }
  /** The hand or crib on show. */
  interface Shown {
    seat: Seat;
    crib: boolean;
    cards: Card[];
    /** Null if players count for themselves; `tally` is then empty. */
    points: number | null;
    tally: Tallied[];
  }
  /** The cards that the computer has dealt, as everybody sees them. */
  interface Felt {
    /** The number of cards in each hand. */
    held: number[];
    /** The number of cards face down in the crib. */
    crib: number;
    /** The card that each seat has cut for the deal; empty outside the cut. */
    cuts: (Card | null)[];
    /** The person whose closed hand OK opens. */
    hides: Seat | null;
    shown: Shown | null;
    /** The label of OK; null if it does nothing. */
    ok: string | null;
    /** Whether a menu or a question is open, so that no card can be chosen. */
    dialog: boolean;
  }
  interface Carried {
    /** The presses that the key implies, including its own. */
    presses: Key[];
    label: string;
  }
  /** A hand or crib that the next card pegs first. */
  interface Waiting {
    seat: Seat;
    crib: boolean;
    cards: Card[];
    points: number;
  }
  /** The cards whose press implies further steps, with real cards. */
  interface Carry {
    keys: Record<Key, Carried>;
    shows: Waiting[];
    says: string;
  }
  /** The number being entered: `digit:0` to `digit:9` and `digit:erase` type it. */
  interface NumberAsked {
    /** Null until a digit is typed. */
    value: number | null;
    /** Whether `step:-10`, `step:-1`, `step:+1` and `step:+10` change it. */
    steps: boolean;
  }
  /** Everything that only the page shows. */
  interface Page {
    seq: number;
    /** The likeliest first. */
    choices: Choice[];
    /** The kit's keys that make sense next, the likeliest first. */
    keys: Key[];
    /** The keys that belong to a side now. */
    sides: Record<Key, Side>;
    table: TableOf;
    pairing: Pairing | null;
    result: Result | null;
    /** The latest lines, newest first. */
    log: LogLine[];
    /** The seat whose hand or crib is being shown. */
    shower: Seat | null;
    hand: Hand | null;
    /** The seat whose computer player is thinking. */
    thinking: Seat | null;
    counted: OwnCount | null;
    /** Null unless the computer deals. */
    felt: Felt | null;
    /** The keys that change an amount. */
    amounts: Key[];
    carry: Carry;
    number: NumberAsked | null;
    names: string[];
    /** The average score of each side at this point; empty unless a setting shows it. */
    ghosts: (number | null)[];
    /** The value of each setting. */
    settings: Record<string, string>;
    /** A sentence for each device that doesn't work. */
    trouble: string[];
  }
  /** Everything that happened in this game, newest first. */
  type Log = LogLine[];
  /** The chance of winning of each side, from public cards. */
  interface Chances {
    seq: number;
    /** Null without a game of two players. */
    chances: [number, number] | null;
  }
  interface Strip {
    leds: number;
    lit: Light[];
  }
  /** A lit LED: its number, red, green and blue. */
  type Light = [number, number, number, number];
  /** Red, green and blue of each LED, after gamma and current limit. */
  type Leds = [number, number, number][];
  interface Error {
    /** The reason, as a sentence. */
    error: string;
  }
  /** A refused request, with the rule behind it if the game refused it. */
  interface Refusal extends Error {
    why?: Reason;
    /** The reason without the names of keys. */
    told?: string;
    remedies?: Remedy[];
  }
  /** A press that was sent for an earlier state. */
  interface Overtaken extends Error {
    by: "person" | "machine";
    state: State;
  }
  interface Logged {
    logged: boolean;
  }
  type Refused = Overtaken | Refusal;
  type Answer = State | Refused;
  interface ReviewedPlayer extends Reviewed {
    /** The accuracy, that of discards and pegging, and the number of mistakes; empty without decisions. */
    words: string[];
  }
  interface ReviewedCourse extends Course {
    /** The course in sentences, for each side. */
    words: string[];
  }
  /** The review of a past game. */
  interface PastReview extends Review {
    players: ReviewedPlayer[];
    course: ReviewedCourse | null;
  }
  type GameReview = PastReview | PendingReview;
  interface Accuracy {
    accuracy: number | null;
    mistakes: number;
  }
  /** The result of a game in words. If only one person played, it addresses that person. Otherwise it is about the winner. */
  interface Ended {
    /** Whether the only person won; null without one. */
    won: boolean | null;
    /** The winner before `text`; empty if that is about the only person. */
    winner: string;
    text: string;
    sentence: string;
  }
  /** A past game in words. Computers go by their level, and the only person is addressed. */
  interface PastWords {
    /** The seat of the only person, who is called "You". */
    own: Seat | null;
    /** The name of each seat. */
    called: string[];
    sides_called: string[];
    /** The person's opponents, or else all players. */
    whom: string;
    mode: string;
    /** Null while the game is not over. */
    ended: Ended | null;
    /** The scores, the person's own or else the winner's first. */
    final: string;
  }
  /** A row of the list of games. */
  interface PastRow extends GameSummary, PastWords {
    game: number;
    begun: string;
    /** The names under which the game counts. */
    players: string[];
    /** The computer's name in each seat; null for a person. */
    levels: (string | null)[];
    /** A summary of the review of each seat; null without a review. */
    reviewed: Accuracy[] | null;
    /** The accuracy of the only person, or of each person; empty without any. */
    accuracy: string;
    /** The number of the only person's mistakes; empty without a review. */
    mistakes: string;
    reviewable: boolean;
    skunk: Skunk;
    /** Whether the game can't be opened until it is won. */
    hidden: boolean;
  }
  /** A game that can't be read. */
  interface UnreadableRow {
    game: number;
    begun: string;
    players: string[];
    error: string;
  }
  interface PastGames {
    games: (PastRow | UnreadableRow)[];
    /** The `before` of the next request. */
    next: number | null;
    /** The number of the last game. */
    all: number;
    pending: number;
  }
  interface PastLine {
    /** The number of the step, from 1. */
    step: number;
    deal: number;
    text: string;
    pegged: Gain[];
  }
  interface OpenedGame extends PastWords {
    game: number;
    begun: string;
    rules: string;
    house: Record<string, string>;
    target: number;
    entry: Entry;
    seats: SeatName[];
    /** The computer's name in each seat; null for a person. */
    levels: (string | null)[];
    sides: SideScore[];
    winner: Side | null;
    skunk: Skunk;
    reviewable: boolean;
    result: Result | null;
    lines: PastLine[];
  }
  interface PastGame extends OpenedGame {
    /** Whether lists and statistics leave the game out. */
    removed: boolean;
  }
  interface StepTable {
    game: number;
    step: number;
    steps: number;
    text: string;
    state: State;
    table: TableOf;
    felt: Felt | null;
    hands: Card[][];
    crib: Card[];
  }
  /** The table after a step of a game. */
  interface PastStep extends StepTable {
    lit: Light[];
  }
  /** Points a deal as dealer and pone; null without a deal. */
  interface RoleAverages {
    dealer: number | null;
    pone: number | null;
  }
  interface Usual {
    dealer: number;
    pone: number;
  }
  interface PlayerTotals {
    name: string;
    /** The name on the page. */
    called: string;
    /** Whether a person gave the name. */
    person: boolean;
    games: number;
    wins: number;
    skunks: number;
    double_skunks: number;
    skunked: number;
    double_skunked: number;
    /** Games won in a row; lost ones are below 0. */
    streak: number;
    tenths: RoleAverages;
  }
  interface PlayerRow extends PlayerTotals, RoleAverages {
  }
  interface Players {
    players: PlayerRow[];
    usual: Usual;
    pending: number;
  }
  /** Averages of a deal; null without one. */
  interface Averages {
    all: number | null;
    pegging: number | null;
    hands: number | null;
    cribs: number | null;
    heels: number | null;
    muggins: number | null;
    other: number | null;
  }
  interface InRole extends Averages {
    deals: number;
    tenths: Averages;
  }
  interface BothRoles {
    dealer: InRole;
    pone: InRole;
  }
  interface BestShow extends CountedShow {
    game: number;
  }
  interface PlayedResult {
    game: number;
    won: boolean;
    margin: number;
  }
  /** The results against one opponent. */
  interface Against {
    name: string;
    called: string;
    games: number;
    wins: number;
    skunks: number;
    skunked: number;
    spread: number;
  }
  interface ReviewedGame {
    game: number;
    accuracy: number;
  }
  interface PlayerStatistics extends PlayerTotals, BothRoles {
    longest_wins: number;
    longest_losses: number;
    five_card: BothRoles;
    usual: Usual;
    points: ShownGains;
    best: BestShow[];
    results: PlayedResult[];
    against: Against[];
    pending: number;
  }
  /** The statistics of a player. */
  interface Player extends PlayerStatistics {
    /** The accuracy in the last reviewed games, oldest first. */
    accuracies: ReviewedGame[];
  }
  interface CountedHand {
    cards: Card[];
    starter: Card | null;
    crib: boolean;
  }
  /** The mean, least and greatest count of a hand over all possible starters. */
  interface CountedMean extends CountedHand {
    mean: number;
    least: number;
    most: number;
  }
  interface CountedPoints extends CountedHand {
    points: number;
    call: string;
    /** The other possible values, if a suit is unknown. */
    may_be: number[];
    tally: Tallied[];
  }
  /** The count of a hand; a hand that is too short has none. */
  type Counted = CountedPoints | CountedMean | CountedHand;
  /** A question to practise: a decision, or a hand to count. */
  type Practice = Position | Counted;
  /** A request to the table. */
  interface TableBody {
    /** A text of your choice: whoever repeats a request with it gets the first answer again. */
    id?: string;
    /** The `seq` of the state that the request is for; the table refuses it in any other state. */
    if_seq?: number;
  }
  interface PressBody extends TableBody {
    key: Key;
    /** Whether a card also presses what it implies, as in the page's `carry`. */
    carry?: boolean;
  }
  interface PegFor extends TableBody {
    side: Side;
    /** The cards of a run. */
    cards?: Card[] | string;
  }
  interface PegKind extends PegFor {
    kind: Kind;
  }
  interface PegPoints extends PegFor {
    points: number;
  }
  type PegBody = PegKind | PegPoints;
  interface SeatNames extends TableBody {
    /** One for each seat; an empty one for the seat's colour. */
    names: string[];
    you?: string;
  }
  interface OwnName extends TableBody {
    /** Your name against the computer. */
    you: string;
  }
  interface NewName extends TableBody {
    rename: string;
    to: string;
  }
  type NamesBody = SeatNames | OwnName | NewName;
  /** Changes to the next game, at least one. */
  interface RulesBody extends TableBody {
    rules?: string;
    players?: number;
    entry?: Entry;
    /** The changes to the preset. */
    options?: Record<string, string>;
    /** The computer's level in each seat; empty for a person. */
    levels?: string[];
    speed?: string;
    automatic?: string[];
    names?: string[];
    /** Whether the menu of the next game opens, as it does if this is missing. */
    menu?: boolean;
  }
  /** The set-up of a game: what is missing is as set up for the next one. */
  interface GameBody extends RulesBody {
    /** Whether it is for this game alone. */
    once?: boolean;
  }
  /** Values of settings by name, all of them texts, besides an `id` and the number `if_seq`. */
  type SettingsBody = Record<string, string | number>;
  interface PowerBody extends TableBody {
    power: Power;
  }
  interface RemoveGame extends TableBody {
    remove: number;
  }
  interface RestoreGame extends TableBody {
    restore: number;
  }
  type GamesBody = RemoveGame | RestoreGame;
  interface OpenPhones {
    phones: "open" | "close";
  }
  interface RemovePhone {
    /** The phone's number. */
    remove: number;
  }
  /** A phone's role; without one, it has to choose again. */
  interface RoleBody {
    role?: Role | null;
    /** Needed for the role `seat`, and for no other. */
    seat?: Seat | null;
  }
  interface GiveRole extends RoleBody {
    /** The phone's number. */
    give: number;
  }
  type PhonesBody = OpenPhones | RemovePhone | GiveRole;
  interface JoinBody {
    code: string;
  }
  interface CountBody {
    /** A list of four cards, or a text. */
    cards: Card[] | string;
    starter?: Card;
    crib?: boolean;
    /** The name of a preset. */
    rules?: string;
  }
  interface FaultBody {
    fault: string;
    /** The address within the page. */
    at?: string;
    /** The position in the source. */
    where?: string;
  }
  /** For each path the body that is posted to it. */
  interface Requests {
    "/api/press": PressBody;
    "/api/fault": FaultBody;
    "/api/peg": PegBody;
    "/api/names": NamesBody;
    "/api/rules": RulesBody;
    "/api/game": GameBody;
    "/api/settings": SettingsBody;
    "/api/power": PowerBody;
    "/api/phones": PhonesBody;
    "/api/count": CountBody;
    "/api/games": GamesBody;
  }
}
