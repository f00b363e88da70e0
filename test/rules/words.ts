/** A word that code or texts do without, and what to write in its place. */
export interface BannedWord {
  word: RegExp
  instead: string
  /** The folder that does without it; all, if none is named. */
  within?: string
  /** Folders whose texts are not the product’s own. */
  except?: readonly string[]
}

/** Type names that say nothing about what they hold, as whole names. */
export const bannedTypeNames: readonly BannedWord[] = [
  { word: /^(?:Ground|House|Door|Desk|Room|Manners)$/, instead: 'Dependencies, Context, Services, Policy' },
  {
    word: /^(?:Patience|Doubles|Seen|Traces|Turnstile|Glances|Whereabouts|Fate)$/,
    instead: 'the field’s own word',
  },
  {
    word: /^(?:Asked|Told|Kept|Said|Wanted|Heard|Settled|Reached|Given|Begun|Found|Known|Read|Sent|Written|Answered)$/,
    instead: 'a noun: FlagRequest, SentDecision, CachedPage',
  },
  { word: /(?:Ground|House)$/, instead: 'Dependencies or Context' },
]

/** A word of identifiers, and what to write in its place. */
export interface BannedIdentifier {
  /** Of names that were cut into lower-case words: `wholeHouse` has `whole` and `house`. */
  words: readonly string[]
  instead: string
  /** Whether fields keep it, because it is stored or sent. */
  isInData?: true
  /** Files whose path or text has this keep it, because they are about something else of that name. */
  exceptAbout?: RegExp
}

/** Words of names: furniture, and participles and pronouns in place of a noun. */
export const bannedIdentifiers: readonly BannedIdentifier[] = [
  { words: ['room', 'rooms'], instead: 'section, space, reservation, or what is in it' },
  {
    words: ['door', 'doors', 'desk', 'house', 'ground', 'grounds'],
    instead: 'context, services, fixture, background',
  },
  { words: ['fate', 'fates'], instead: 'outcome' },
  { words: ['deed', 'deeds'], instead: 'call, audit entry' },
  { words: ['asker', 'askers', 'askings'], instead: 'client, user, request counts', isInData: true },
  { words: ['whereabouts'], instead: 'location, counts' },
  { words: ['stretch', 'stretches', 'parcel', 'parcels'], instead: 'period, interval, range, batch' },
  { words: ['sighting', 'sightings'], instead: 'live event', isInData: true },
  { words: ['said'], instead: 'message, text, response, overrides' },
  { words: ['theirs', 'those', 'mended'], instead: 'the noun: otherState, posthogFlag, keys, repaired' },
  { words: ['happening', 'happenings'], instead: 'matcher, change', isInData: true },
  {
    words: ['question', 'questions'],
    instead: 'query for an insight’s; parameters, filter or dialog',
    isInData: true,
    exceptAbout: /survey|site-kit|posts\/reading/i,
  },
]

/** The ending of classes of errors, which tells them apart in a log. */
export const errorName = /Error$/

/** Words that leave a comment without a subject. */
export const bannedInComments: readonly BannedWord[] = [
  {
    word: /^\/[*/]+[\s*]*(?:What|Who|How|Where|Which|Whatever|Nothing|But)\b/,
    instead: 'the subject first: “The queries a page may make.”',
  },
  { word: /\bwhoever\b/i, instead: 'the caller, the visitor, the client' },
  { word: /\bnobody\b/i, instead: 'no caller, no visitor, no client' },
  { word: /\bsomebody\b/i, instead: 'a caller, a member, another process' },
  { word: /\bwhom\b/i, instead: 'the person, the recipient' },
]

/** The demo’s content is that of a made-up company; the engine’s texts derive passwords and name columns. */
const notTheProducts = ['src/demo/', 'src/engine/']

/** Words that make a text for users a riddle. */
export const bannedInTexts: readonly BannedWord[] = [
  { word: /\bwhoever\b/i, instead: 'who it is: “members”, “visitors”, “anyone with the link”' },
  { word: /\bsomebody\b/i, instead: 'who it is: “a member”, “a visitor”' },
  { word: /\bwhom\b/i, instead: 'the person' },
  { word: /\bnobody\b/i, instead: 'no one, or who it is', except: notTheProducts },
  { word: /\beverybody\b/i, instead: 'everyone, or who it is', except: notTheProducts },
  { word: /\bbr(?:ing|ought) (?:it |them )?back\b/i, instead: 'restore' },
  { word: /\bletters about\b|\bthese letters\b|\bsends? letters\b/i, instead: 'e-mails' },
  { word: /\bmend\b/i, instead: 'fix, correct' },
  {
    word: /\bpersons\b/i,
    instead: 'people',
    within: 'src/studio/',
    // SQL names the table
    except: ['src/studio/sql/', 'src/studio/insights/kinds/sql/'],
  },
  { word: /\banew\b/i, instead: 'again, or from the beginning' },
]
