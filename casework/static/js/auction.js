// An auction in text and in its rules, as casework/domain/bridge/call.py and auction.py have them.
// A browser test compares the two. A call: {call, alert, explanation, explained, pause, by, withdrawn}.

export const SEATS = "NESW";
export const COLUMNS = "WNES";
const SEAT = "[NEÖSVW]";
const QUOTE = '["“”»«]';
const STRAIN =
  "notrumps?|nt|n|sang|sa|spades|spader|spade|sp|♠|♤|hearts|hjärter|heart|hj|♥|♡|" +
  "diamonds|diamond|ruter|ru|♦|♢|clubs|klöver|club|kl|♣|♧|[shdrck]";
const END = "(?![a-zåäö])";
const CALL = new RegExp(
  `(?:(?<by>${SEAT})\\s*:\\s*)?(?:(?<level>[1-7])\\s*(?<strain>${STRAIN})[\\ufe0e\\ufe0f]?${END}` +
    `|(?<XX>xx|rd|redbl|redubbelt|redouble)${END}|(?<X>x|d|dbl|dubbelt|double)${END}|(?<P>pass|p)${END}|(?<dash>[-–—−])(?=[\\s,;]|$))`,
  "iyu",
);
const PAUSE = new RegExp(
  "…|\\.\\.\\.|\\[\\s*(?=[^\\]\\s])(?:(?:tanke)?paus|pause)?\\s*" +
    "(?:(?<seconds>[1-9]\\d{0,3})\\s*(?:sekunder|seconds|sek|sec|s)?)?\\s*" +
    "(?:,?\\s*(?:(?<disputed>\\?|omtvistad|disputed)|överens|eniga|agreed))?\\s*\\]",
  "iyu",
);
const ALERT = /\s*!/y;
const WITHDRAWN = /\s*\[\s*(?:återtaget|återtagen|ändrat|withdrawn|cancelled)\s*\]/iyu;
const WORDS = new RegExp(
  `\\s*(?:(?<screen>N[EÖ]|[EÖ]N|S[WV]|[WV]S)(?![a-zåäö]))?\\s*(?<by>${SEAT})?\\s*(?:[>→]\\s*(?<to>${SEAT}))?\\s*:?\\s*` +
    `${QUOTE}(?<text>(?:[^"“”»«\\\\]|\\\\.)*)${QUOTE}`,
  "isyu",
);
const ALL_PASS = new RegExp(`(?:ap|alla\\s+passar|alla?\\s+pass)${END}`, "iyu");
const BEFORE = /\s*(?:[-–—−](?=[\s,;]|$)[\s,;]*)+/y;
const BETWEEN = /[\s,;]*/y;
const STRAINS = { s: "S", "♠": "S", "♤": "S", h: "H", "♥": "H", "♡": "H", d: "D", r: "D", "♦": "D", "♢": "D",
  c: "C", k: "C", "♣": "C", "♧": "C" };

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const end = (found, at) => (found ? at + found[0].length : at);
const seatOf = (letter) => letter && (({ Ö: "E", V: "W" })[letter.toUpperCase()] ?? letter.toUpperCase());
const strainOf = (word) => (/^(n|sa)/.test(word) ? "N" : STRAINS[word[0]]);
const clean = (text) => text.replace(/\\(.)/gsu, "$1").split(/\s+/u).filter(Boolean).join(" ");

export const plain = (call) => ({ call, alert: false, explanation: "", explained: [], pause: null, by: null, withdrawn: false });

/** All calls of a text, or null where it holds something that only the server can judge. */
export function read(text, dealer) {
  const calls = [];
  const before = match(BEFORE, text, 0)?.[0] ?? "";
  const dashes = before.replace(/[\s,;]/g, "").length;
  if (dashes && dashes !== COLUMNS.indexOf(dealer)) return null;
  let at = end(match(BETWEEN, text, before.length), before.length);
  while (at < text.length) {
    const rest = match(ALL_PASS, text, at);
    if (rest) {
      calls.push(...lastPasses(calls));
      at = end(rest, at);
      at = end(match(BETWEEN, text, at), at);
      continue;
    }
    const pause = match(PAUSE, text, at);
    at = end(pause, at);
    at = end(match(BETWEEN, text, at), at);
    const token = match(CALL, text, at);
    if (!token) return null;
    at = end(token, at);
    const said = token.groups;
    const call = {
      ...plain(said.level ? said.level + strainOf(said.strain.toLowerCase()) : said.XX ? "XX" : said.X ? "X" : "P"),
      pause: pause && { seconds: Number(pause.groups.seconds) || null, disputed: Boolean(pause.groups.disputed) },
      by: seatOf(said.by) ?? null,
    };
    at = suffixes(call, text, at);
    calls.push(call);
    at = end(match(BETWEEN, text, at), at);
  }
  return calls;
}

function lastPasses(calls) {
  const standing = calls.filter((call) => !call.withdrawn).map(({ call }) => call);
  const passes = standing.length - 1 - standing.findLastIndex((call) => call !== "P");
  return Array.from({ length: Math.max(0, (passes === standing.length ? 4 : 3) - passes) }, () => plain("P"));
}

function suffixes(call, text, at) {
  for (;;) {
    let found;
    if ((found = match(ALERT, text, at))) call.alert = true;
    else if ((found = match(WITHDRAWN, text, at))) call.withdrawn = true;
    else if ((found = match(WORDS, text, at)) && (found.groups.screen || found.groups.by || found.groups.to)) {
      const { screen, by, to, text: words } = found.groups;
      const side = screen && (screen.toUpperCase().includes("N") ? "NE" : "SW");
      call.explained.push({ text: clean(words), by: seatOf(by) ?? null, to: seatOf(to) ?? null, screen: side ?? null });
    } else if (found && !call.explanation) call.explanation = clean(found.groups.text);
    else return at;
    at = end(found, at);
  }
}

/** The text of calls in the page's language. */
export function write(calls, swedish) {
  const letter = (seat) => (swedish ? ({ E: "Ö", W: "V" })[seat] ?? seat : seat);
  const quoted = (text) => `"${text.replace(/(["“”»«\\])/gu, "\\$1")}"`;
  const heard = ({ text, by, to, screen }) =>
    [[...(screen ?? "")].map(letter).join(""), (by ? letter(by) : "") + (to ? `>${letter(to)}` : "")]
      .filter(Boolean).join(" ") + `: ${quoted(text)}`;
  const paused = ({ seconds, disputed }) =>
    `[${seconds ? `${seconds} s` : swedish ? "paus" : "pause"}${disputed ? "?" : ""}]`;
  const one = (call) => [
    call.pause ? paused(call.pause) : "",
    (call.by ? `${letter(call.by)}: ` : "") + shown(call.call) + (call.alert ? "!" : ""),
    call.withdrawn ? (swedish ? "[återtaget]" : "[withdrawn]") : "",
    call.explanation ? quoted(call.explanation) : "",
    ...call.explained.map(heard),
  ].filter(Boolean).join(" ");
  return calls.map(one).join(" ");
}

/** "1♠", "3NT", "Pass", "X": as on the bidding card. */
export function shown(call) {
  if (!/^\d/.test(call)) return call === "P" ? "Pass" : call;
  return call[0] + { C: "♣", D: "♦", H: "♥", S: "♠", N: "NT" }[call[1]];
}

const after = (seat) => SEATS[(SEATS.indexOf(seat) + 1) % 4];
const partner = (seat) => after(after(seat));
const height = (call) => Number(call[0]) * 5 + "CDHSN".indexOf(call[1]);
const isBid = ({ call }) => /^\d/.test(call);

/** Each call with its seat, whether it was that seat's turn and whether it was legal; and whose turn is next. */
export function seated(calls, dealer) {
  const before = [];
  let turn = dealer;
  const all = calls.map((call) => {
    const seat = call.by ?? turn;
    const legal = seat === turn && !call.withdrawn && allowed(before, seat, call.call);
    const entry = { ...call, seat, turn, legal };
    if (!call.withdrawn) {
      before.push(entry);
      turn = after(seat);
    }
    return entry;
  });
  return { all, standing: before, turn, over: ended(before) };
}

const ended = (standing) => standing.length >= 4 && standing.slice(-3).every(({ call }) => call === "P");

/** Whether the laws let `seat` make a call after those that stand. */
export function allowed(standing, seat, call) {
  if (ended(standing)) return false;
  if (call === "P") return true;
  if (/^\d/.test(call)) {
    const bid = standing.findLast(isBid);
    return !bid || height(call) > height(bid.call);
  }
  const last = standing.findLast((each) => each.call !== "P");
  if (!last || last.seat === seat || last.seat === partner(seat)) return false;
  return call === "X" ? isBid(last) : last.call === "X";
}

/** Contract and declarer of a finished auction; null when nobody bid. */
export function contract(standing) {
  const index = standing.findLastIndex(isBid);
  if (index < 0) return null;
  const { call, seat } = standing[index];
  const risk = standing.slice(index).findLast((each) => each.call === "X" || each.call === "XX")?.call ?? "";
  const side = [seat, partner(seat)];
  const declarer = standing.find((each) => isBid(each) && each.call[1] === call[1] && side.includes(each.seat)).seat;
  return { call, risk, declarer };
}
