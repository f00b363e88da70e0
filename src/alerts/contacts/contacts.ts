import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import { AccessRefusedError, type Viewer } from '#projects/access'
import { nonMembersAmong } from '#projects/members'
import { failedOutcome, type FailedOutcome } from '#projects/problems'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type MailContact, contactsOf, forgetOptOuts, optOutsAbout, saveContact, saveOptOut } from './store'
import { queueMessage } from '../deliveries/deliveries'
import type { LetterLinkAction } from '../letter-links'
import type { GivenRecipient, Recipient } from '../recipient'
import { recipientKey } from '../recipient-key'

const day = 24 * 60 * 60_000
/** Limits how often one address receives a confirmation request. */
const requestEveryMs = day
/** Limits the unanswered confirmation requests of a project, so that alerts cannot be used to send spam. */
const mostUnansweredRequests = 20

/** Why one recipient receives no mail. */
export type DeliveryObstacle = 'unconfirmed' | 'unsubscribed'

export function existingProject(id: number, projects: Pick<Projects, 'numbered'>): Project {
  const project = projects.numbered(id)
  if (!project) throw new AccessRefusedError('not-found', 'There is no such project.')
  return project
}

interface EntryWithRecipients {
  recipients: readonly Recipient[]
}

/** Sends confirmation requests to the new recipients of an alert or a report, as a part of saving it. */
export async function requestConfirmations(
  transaction: StoreTransaction,
  { recipients }: EntryWithRecipients,
  {
    before,
    projectId,
    viewer,
    dependencies: { contacts, projects },
  }: {
    before: EntryWithRecipients | undefined
    projectId: number
    viewer: Viewer
    dependencies: { contacts: MailContacts; projects: Pick<Projects, 'numbered'> }
  },
): Promise<void> {
  const project = existingProject(projectId, projects)
  const change = { recipients, before: before?.recipients ?? [] }
  await contacts.requestConfirmations(transaction, project, change, viewer)
}

/** Refuses new recipients who are said to be members and are none. Former members get no letters, and may stay. */
export async function refuseNonMembers(
  transaction: StoreTransaction,
  { recipients }: EntryWithRecipients,
  { before, projectId }: { before: EntryWithRecipients | undefined; projectId: number },
  field = 'recipients',
): Promise<FailedOutcome | undefined> {
  const had = new Set(before?.recipients.map(recipientKey))
  const added = recipients.flatMap((one) =>
    one.by === 'member' && !had.has(recipientKey(one)) ? [one.member] : [],
  )
  const [stranger] = await nonMembersAmong(transaction, projectId, added)
  return stranger === undefined
    ? undefined
    : failedOutcome(
        `“${stranger}” is no member of this project. Choose a member, or give an e-mail address.`,
        field,
      )
}

/** Recipients who are not members confirm before the first letter. Every letter has an unsubscribe link. */
export class MailContacts {
  constructor(
    private readonly dependencies: { store: Store; world: World; projects: Pick<Projects, 'numbered'> },
  ) {}

  /** Sends a confirmation request to each recipient who is new to the project. */
  async requestConfirmations(
    transaction: StoreTransaction,
    project: Project,
    { recipients, before }: { recipients: readonly Recipient[]; before: readonly Recipient[] },
    viewer: Viewer,
  ): Promise<void> {
    const had = new Set(before.map(recipientKey))
    const added = recipients.filter((recipient) => !had.has(recipientKey(recipient)))
    for (const recipient of added) {
      if (recipient.by === 'mail') await this.ask(transaction, project, recipient.address, viewer)
      // members who add themselves subscribe again; no member can end another recipient's opt-out
      if (recipient.by === 'member' && viewer.kind === 'member' && viewer.memberId === recipient.member)
        await forgetOptOuts(transaction, { projectId: project.id, recipient: recipientKey(recipient) })
    }
  }

  async obstacles(
    projectId: number,
    about: string,
    recipients: readonly GivenRecipient[],
  ): Promise<Map<string, DeliveryObstacle>> {
    const { store } = this.dependencies
    const [contacts, optedOut] = await Promise.all([
      contactsOf(store, projectId),
      optOutsAbout(store, projectId, about),
    ])
    const confirmed = new Set(contacts.flatMap(({ address, confirmedAt }) => (confirmedAt ? [address] : [])))
    return new Map(
      recipients.flatMap((recipient): [string, DeliveryObstacle][] => {
        const key = recipientKey(recipient)
        if (optedOut.includes(key)) return [[key, 'unsubscribed']]
        return recipient.by === 'mail' && !confirmed.has(recipient.address) ? [[key, 'unconfirmed']] : []
      }),
    )
  }

  /**
   * Applies the action of a link in a letter; possession of the link is the proof that its holder received the letter.
   */
  async apply(wanted: LetterLinkAction): Promise<void> {
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      if (wanted.do === 'unsubscribe') {
        const { project: projectId, recipient, about } = wanted
        return await saveOptOut(transaction, { projectId, recipient, about }, world.now())
      }
      const { project: projectId, address } = wanted
      const known = await contactsOf(transaction, projectId)
      const contact = known.find((one) => one.address === address)
      const now = world.now()
      await saveContact(transaction, projectId, {
        address,
        askedAt: contact?.askedAt ?? now,
        confirmedAt: now,
      })
      await forgetOptOuts(transaction, { projectId, recipient: recipientKey({ by: 'mail', address }) })
    })
  }

  projectName(projectId: number): string | undefined {
    return this.dependencies.projects.numbered(projectId)?.name
  }

  private async ask(
    transaction: StoreTransaction,
    { id: projectId, slug, name }: Project,
    address: string,
    viewer: Viewer,
  ): Promise<void> {
    const { world } = this.dependencies
    const now = world.now()
    const known = await contactsOf(transaction, projectId)
    if (!mayRequestConfirmation(known, address, now)) return
    const askedAt = now
    await saveContact(transaction, projectId, { address, askedAt, confirmedAt: undefined })
    await queueMessage(
      transaction,
      {
        projectId,
        about: 'contact',
        message: { kind: 'confirmation', project: { slug, name }, address, askedBy: viewer.name },
      },
      [{ by: 'mail', address }],
      world,
    )
  }
}

function mayRequestConfirmation(known: readonly MailContact[], address: string, now: Date): boolean {
  const contact = known.find((one) => one.address === address)
  if (contact?.confirmedAt) return false
  const isRecent = ({ askedAt }: MailContact) => now.getTime() - askedAt.getTime() < requestEveryMs
  if (contact && isRecent(contact)) return false
  return known.filter((one) => !one.confirmedAt && isRecent(one)).length < mostUnansweredRequests
}
