import { type EventColumns, type PreparedEvent, hasNoChanges } from '#events/event'
import { parseRowDetails, parseRowHead, rowText, type RowText } from '#events/row'

/**
 * Formats one event as a line of the journal: the two parts of its row as the engine receives it, and its claims about
 * people, if any. Tabs separate the parts; JSON contains neither raw tabs nor line breaks.
 */
export function formatJournalLine(event: PreparedEvent): string {
  const { head, details } = rowText(event)
  const claims = claimsOf(event)
  const end = event.isSessionDerived ? derivedSession : ''
  if (!claims) return end === '' ? `${head}\t${details}` : `${head}\t${details}\t${end}`
  return `${head}\t${details}\t${JSON.stringify(claims)}${end}`
}

/** The fourth part of a line if the client did not name the session. */
const derivedSession = '\tderived'

type JournaledClaims = Partial<Pick<PreparedEvent, 'person' | 'identity' | 'group' | 'importId'>>

/** A prepared event and its row. Its details are parsed on every access and not kept: they take ten times their text. */
export class JournaledEvent implements PreparedEvent {
  readonly uuid: string
  readonly projectId: number
  readonly name: string
  readonly at: Date
  readonly receivedAt: Date
  readonly distinctId: string
  readonly sessionId: string
  readonly hasPerson: boolean
  readonly isCookieless: boolean
  readonly groups: Readonly<Record<string, string>>
  readonly person: PreparedEvent['person']
  readonly identity: PreparedEvent['identity']
  readonly group: PreparedEvent['group']
  readonly importId: string | undefined

  constructor(
    readonly row: RowText,
    { person = noChanges, identity, group, importId }: JournaledClaims,
    readonly isSessionDerived = false,
  ) {
    const head = parseRowHead(row.head)
    this.uuid = head.uuid
    this.projectId = head.projectId
    this.name = head.name
    this.at = head.at
    this.receivedAt = head.receivedAt
    this.distinctId = head.distinctId
    this.sessionId = head.sessionId
    this.hasPerson = head.hasPerson
    this.isCookieless = head.isCookieless
    this.groups = head.groups
    this.person = person
    this.identity = identity
    this.group = group
    this.importId = importId
  }

  get columns(): Partial<EventColumns> {
    return parseRowDetails(this.row.details).columns
  }

  get properties(): Readonly<Record<string, string>> {
    return parseRowDetails(this.row.details).properties
  }
}

/** Throws if another version wrote the line in another format. */
export function parseJournalLine(line: string): JournaledEvent {
  const [head = '', details = '', claims, session] = line.split('\t')
  // only `formatJournalLine` writes these, and the journal's checksum covers every byte
  return new JournaledEvent(
    { head, details },
    claims ? (JSON.parse(claims) as JournaledClaims) : {},
    session === 'derived',
  )
}

const noChanges: PreparedEvent['person'] = { set: {}, setOnce: {}, unset: [], add: {} }

function claimsOf({ person, identity, group, importId }: PreparedEvent): JournaledClaims | undefined {
  const changes = hasNoChanges(person) ? undefined : person
  return changes || identity || group || importId ? { person: changes, identity, group, importId } : undefined
}
