import { type EventColumns, type PreparedEvent, hasNoChanges } from '#events/event'
import { parseRowDetails, parseRowHead, rowText, type RowText } from '#events/row'

/**
 * One event as a line of the journal: its row as the engine will get it, in its two parts, and what it claims about
 * people, if anything; with tabs between, since JSON has neither tabs nor line breaks of its own.
 */
export function formatJournalLine(event: PreparedEvent): string {
  const { head, details } = rowText(event)
  const claims = claimsOf(event)
  const end = event.isSessionDerived ? derivedSession : ''
  if (!claims) return end === '' ? `${head}\t${details}` : `${head}\t${details}\t${end}`
  return `${head}\t${details}\t${JSON.stringify(claims)}${end}`
}

/** The fourth part of a line whose session the client did not name. */
const derivedSession = '\tderived'

type JournaledClaims = Partial<Pick<PreparedEvent, 'person' | 'identity' | 'group'>>

/** An event as it was prepared, and its row. Its details are taken apart only for who wants to see them. */
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
  private parsedDetails: ReturnType<typeof parseRowDetails> | undefined

  constructor(
    readonly row: RowText,
    { person = noChanges, identity, group }: JournaledClaims,
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
  }

  get columns(): Partial<EventColumns> {
    return this.details.columns
  }

  get properties(): Readonly<Record<string, string>> {
    return this.details.properties
  }

  private get details(): ReturnType<typeof parseRowDetails> {
    return (this.parsedDetails ??= parseRowDetails(this.row.details))
  }
}

/** Throws where another version wrote lines otherwise. */
export function parseJournalLine(line: string): JournaledEvent {
  const [head = '', details = '', claims, session] = line.split('\t')
  // only `lineOf` writes these, and the journal's checksum vouches for every byte
  return new JournaledEvent(
    { head, details },
    claims ? (JSON.parse(claims) as JournaledClaims) : {},
    session === 'derived',
  )
}

const noChanges: PreparedEvent['person'] = { set: {}, setOnce: {}, unset: [], add: {} }

function claimsOf({ person, identity, group }: PreparedEvent): JournaledClaims | undefined {
  const changes = hasNoChanges(person) ? undefined : person
  return changes || identity || group ? { person: changes, identity, group } : undefined
}
