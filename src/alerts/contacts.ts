import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import type { Viewer } from '../projects/access'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import {
  type Contact,
  contactsOf,
  forgetRefusals,
  refusalsAbout,
  saveContact,
  saveRefusal,
} from './contacts/store'
import { queue } from './deliveries'
import type { LetterWish } from './letter-links'
import type { GivenRecipient, Recipient } from './recipient'
import { recipientKey } from './recipient-key'

const day = 24 * 60 * 60_000
/** Nobody is asked so often that the question itself is a nuisance. */
const askEveryMs = day
/** Letters to strangers that nobody answered: more would be a way to send such letters. */
const mostUnanswered = 20

/** What stands in the way of letters to one recipient. */
export type Hindrance = 'unconfirmed' | 'unsubscribed'

/** Whoever is not a member agrees to letters first; anybody ends them by the link that each has. */
export class Contacts {
  constructor(
    private readonly ground: { store: Store; world: World; projects: Pick<Projects, 'numbered'> },
  ) {}

  /** Asks those of the recipients who are new here whether they want letters. */
  async welcome(
    transaction: StoreTransaction,
    project: Project,
    { recipients, before }: { recipients: readonly Recipient[]; before: readonly Recipient[] },
    viewer: Viewer,
  ): Promise<void> {
    const had = new Set(before.map(recipientKey))
    const added = recipients.filter((recipient) => !had.has(recipientKey(recipient)))
    for (const recipient of added) {
      if (recipient.by === 'mail') await this.ask(transaction, project, recipient.address, viewer)
      // who adds themselves wants letters again; for others it is not for anybody else to say
      if (recipient.by === 'member' && viewer.kind === 'member' && viewer.memberId === recipient.member)
        await forgetRefusals(transaction, { projectId: project.id, recipient: recipientKey(recipient) })
    }
  }

  async hindrances(
    projectId: number,
    about: string,
    recipients: readonly GivenRecipient[],
  ): Promise<Map<string, Hindrance>> {
    const { store } = this.ground
    const [contacts, refused] = await Promise.all([
      contactsOf(store, projectId),
      refusalsAbout(store, projectId, about),
    ])
    const confirmed = new Set(contacts.flatMap(({ address, confirmedAt }) => (confirmedAt ? [address] : [])))
    return new Map(
      recipients.flatMap((recipient): [string, Hindrance][] => {
        const key = recipientKey(recipient)
        if (refused.includes(key)) return [[key, 'unsubscribed']]
        return recipient.by === 'mail' && !confirmed.has(recipient.address) ? [[key, 'unconfirmed']] : []
      }),
    )
  }

  /** What a link in a letter asks for; whoever holds it was sent it. */
  async fulfil(wanted: LetterWish): Promise<void> {
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      if (wanted.do === 'unsubscribe') {
        const { project: projectId, recipient, about } = wanted
        return await saveRefusal(transaction, { projectId, recipient, about }, world.now())
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
      await forgetRefusals(transaction, { projectId, recipient: recipientKey({ by: 'mail', address }) })
    })
  }

  projectName(projectId: number): string | undefined {
    return this.ground.projects.numbered(projectId)?.name
  }

  private async ask(
    transaction: StoreTransaction,
    { id: projectId, slug, name }: Project,
    address: string,
    viewer: Viewer,
  ): Promise<void> {
    const { world } = this.ground
    const now = world.now()
    const known = await contactsOf(transaction, projectId)
    if (!mayAsk(known, address, now)) return
    const askedAt = now
    await saveContact(transaction, projectId, { address, askedAt, confirmedAt: undefined })
    await queue(
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

function mayAsk(known: readonly Contact[], address: string, now: Date): boolean {
  const contact = known.find((one) => one.address === address)
  if (contact?.confirmedAt) return false
  const isRecent = ({ askedAt }: Contact) => now.getTime() - askedAt.getTime() < askEveryMs
  if (contact && isRecent(contact)) return false
  return known.filter((one) => !one.confirmedAt && isRecent(one)).length < mostUnanswered
}
