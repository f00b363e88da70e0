/** A word that code or texts do without, and what to write in its place. */
export interface BannedWord {
  word: RegExp
  instead: string
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

/** Words that leave a comment without a subject. */
export const bannedInComments: readonly BannedWord[] = [
  { word: /\bwhoever\b/i, instead: 'the caller, the visitor, the client' },
  { word: /\bnobody\b/i, instead: 'no caller, no visitor, no client' },
  { word: /\bsomebody\b/i, instead: 'a caller, a member, another process' },
  { word: /\bwhom\b/i, instead: 'the person, the recipient' },
]

/** Words that make a text for users a riddle. */
export const bannedInTexts: readonly BannedWord[] = [
  { word: /\bwhoever\b/i, instead: 'who it is: “members”, “visitors”, “anyone with the link”' },
  { word: /\bsomebody\b/i, instead: 'who it is: “a member”, “a visitor”' },
  { word: /\bwhom\b/i, instead: 'the person' },
  { word: /\bnobody (?:is|was|has been) told\b/i, instead: 'No alerts yet, No recipients' },
]
