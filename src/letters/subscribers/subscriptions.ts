import { z } from 'zod'
import type { Seal } from '#flags/seal'
import type { Published } from '#posts/published/published'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { hashToken, newId } from '#projects/secrets'
import type { Store, StoreTransaction, TableSource } from '#store/store'
import type { World } from '#world/world'
import type { LetterEvents } from '../internal/letter-events'
import { type LetterSettings, letterSettings, letterSettingsIn } from '../letter-settings'
import type { ListNames } from './internal/confirmation'
import {
  countAskedSince,
  letterTopic,
  listsOf,
  removeSubscriber,
  saveList,
  saveSettings,
  saveSubscriber,
  storedSettings,
  subscriberByHash,
  subscriberByToken,
  subscriberCounts,
  subscribersOf,
  subscriberWithId,
} from './store'
import {
  emailPersonId,
  type LetterList,
  type Subscriber,
  subscriberAddress,
  type SubscriberState,
  subscriberStates,
} from './subscriber'

export interface SubscriptionDependencies {
  store: Store
  world: World
  seal: Pick<Seal, 'digest'>
  events: Pick<LetterEvents, 'record'>
  published: Pick<Published, 'site'>
  canMail: () => boolean
}

const dayMs = 86_400_000
/** The life of a link that confirms a subscription. */
const confirmationLifeMs = 7 * dayMs
/** An address gets one request to confirm a day. */
const askEveryMs = dayMs
/** Unanswered requests of a project in a day, so that its forms cannot be used to send spam. */
const mostAskedADay = 1000

const mostImported = 5000
const exportBatch = 500
const perPage = 50

const listKey = z
  .string({ error: 'Write it as text.' })
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,59}$/u, 'Use letters, digits, spaces, "-", "_" and "." only.')

const listName = z.string({ error: 'Write it as text.' }).trim().min(1, 'Name the list.').max(80)

export const newListInput = z.strictObject({ key: listKey, name: listName })
export const listChangeInput = z.strictObject({ name: listName.optional(), isOpen: z.boolean().optional() })

export const importInput = z.strictObject({
  /** Addresses, one a line, or the lines of a CSV file with a column of addresses. */
  addresses: z.string({ error: 'Paste addresses.' }).max(3_000_000, 'Import fewer addresses at once.'),
  consent: z
    .string({ error: 'Say how these addresses agreed to get e-mails.' })
    .trim()
    .min(10, 'Say how these addresses agreed to get e-mails, in at least 10 characters.')
    .max(500, 'Use at most 500 characters.'),
})

export const subscriberFilter = z.object({
  state: z.enum(subscriberStates).optional().catch(undefined),
  search: z.string().trim().max(254).optional().catch(undefined),
  page: z.coerce.number().int().min(1).catch(1),
})

/** A list with the number of its subscribers by state. */
export interface ListReport extends LetterList {
  counts: Readonly<Record<SubscriberState, number>>
}

export interface SignUp {
  projectId: number
  /** The name of the form. */
  list: string
  email: string
  language: string | undefined
  distinctId: string
}

interface ImportReport {
  added: number
  /** Addresses that are on the list already. */
  known: number
  /** Addresses that unsubscribed, complained, bounced or were erased. */
  left: number
  unreadable: readonly string[]
}

const missingList = failedOutcome('There is no such list.', 'list')
const missingSubscriber = failedOutcome('The subscriber was removed.')

/** Lists of subscribers. An address that signs up itself is subscribed once it is confirmed. */
export class Subscriptions {
  constructor(private readonly dependencies: SubscriptionDependencies) {}

  async lists(projectId: number, viewer: Viewer): Promise<ListReport[]> {
    requireRight('letters:read', projectId, viewer)
    const { store } = this.dependencies
    const counts = await subscriberCounts(store, projectId)
    const lists = await listsOf(store, projectId)
    return lists.map((list) => ({ ...list, counts: countsOf(list.key, counts) }))
  }

  async createList(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ list: LetterList }>> {
    requireRight('letters:write', projectId, viewer)
    const parsed = parseInput(newListInput, input)
    if (!parsed.done) return parsed
    return await this.change(projectId, viewer, async (transaction) => {
      const lists = await listsOf(transaction, projectId)
      if (lists.some(({ key }) => key === parsed.value.key))
        return failedOutcome('There is a list with this key already.', 'key')
      if (lists.length >= 20) return failedOutcome('A project has at most 20 lists.')
      const list = { ...parsed.value, isOpen: true }
      await saveList(transaction, projectId, list, this.dependencies.world.now())
      return { done: true, list, audit: { action: 'letter-list.create', subject: list.name } }
    })
  }

  async changeList(
    projectId: number,
    key: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ list: LetterList }>> {
    requireRight('letters:write', projectId, viewer)
    const parsed = parseInput(listChangeInput, input)
    if (!parsed.done) return parsed
    const { name, isOpen } = parsed.value
    return await this.change(projectId, viewer, async (transaction) => {
      const before = (await listsOf(transaction, projectId)).find((one) => one.key === key)
      if (!before) return missingList
      const list = { key, name: name ?? before.name, isOpen: isOpen ?? before.isOpen }
      await saveList(transaction, projectId, list, this.dependencies.world.now())
      return {
        done: true,
        list,
        audit: { action: 'letter-list.change', subject: list.name, before, after: list },
      }
    })
  }

  async settings(projectId: number, viewer: Viewer): Promise<LetterSettings> {
    requireRight('letters:read', projectId, viewer)
    return letterSettingsIn(await storedSettings(this.dependencies.store, projectId))
  }

  /** Fields that are absent stay unchanged. */
  async changeSettings(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ settings: LetterSettings }>> {
    requireRight('letters:write', projectId, viewer)
    const changes = parseInput(letterSettings.partial(), input)
    if (!changes.done) return changes
    return await this.change(projectId, viewer, async (transaction) => {
      const before = letterSettingsIn(await storedSettings(transaction, projectId))
      const after = letterSettings.parse({ ...before, ...givenFields(input, changes.value) })
      await saveSettings(transaction, projectId, after)
      return {
        done: true,
        settings: after,
        audit: { action: 'letter.settings', subject: after.senderName, before, after },
      }
    })
  }

  /** Returns one page of a list's subscribers, the latest change first. */
  async subscribers(
    projectId: number,
    list: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ subscribers: Subscriber[]; hasMore: boolean }>> {
    requireRight('letters:read', projectId, viewer)
    const parsed = parseInput(subscriberFilter, input)
    if (!parsed.done) return parsed
    const { store } = this.dependencies
    const { page, ...filter } = parsed.value
    const portion = { from: (page - 1) * perPage, count: perPage + 1 }
    const found = await subscribersOf(store, { projectId, list }, filter, portion)
    return { done: true, subscribers: found.slice(0, perPage), hasMore: found.length > perPage }
  }

  /** Every subscriber of a list that still has an address, as rows of a table. */
  async exportList(projectId: number, list: string, viewer: Viewer): Promise<Outcome<{ rows: string[][] }>> {
    requireRight('subscribers:write', projectId, viewer)
    const { store } = this.dependencies
    const known = await listsOf(store, projectId)
    if (!known.some(({ key }) => key === list)) return missingList
    const rows: string[][] = [['address', 'state', 'source', 'consent', 'created', 'confirmed']]
    for (let from = 0; ; from += exportBatch) {
      const found = await subscribersOf(store, { projectId, list }, {}, { from, count: exportBatch })
      rows.push(...found.filter(({ address }) => address !== undefined).map(exportRow))
      if (found.length < exportBatch) break
    }
    await this.change(projectId, viewer, async () => ({
      done: true,
      audit: { action: 'subscriber.export', subject: list },
    }))
    return { done: true, rows }
  }

  /**
   * Adds addresses that agreed elsewhere. They are confirmed at once; an address that left stays away, because it is
   * known by its hash.
   */
  async importAddresses(
    projectId: number,
    list: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<ImportReport>> {
    requireRight('subscribers:write', projectId, viewer)
    const parsed = parseInput(importInput, input)
    if (!parsed.done) return parsed
    const { addresses, unreadable } = addressesInTable(parsed.value.addresses)
    if (addresses.length === 0) return failedOutcome('There are no addresses.', 'addresses')
    if (addresses.length > mostImported)
      return failedOutcome(`Import at most ${mostImported} addresses at once.`, 'addresses')
    return await this.change(projectId, viewer, async (transaction) => {
      const known = await listsOf(transaction, projectId)
      if (!known.some(({ key }) => key === list)) return missingList
      const report = { added: 0, known: 0, left: 0 }
      for (const address of addresses)
        report[await this.addImported(transaction, { projectId, list, address }, parsed.value.consent)]++
      const after = { ...report, consent: parsed.value.consent }
      return {
        done: true,
        ...report,
        unreadable,
        audit: { action: 'subscriber.import', subject: list, after },
      }
    })
  }

  /** Removes a subscriber for good: the address may then be imported again. */
  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('subscribers:write', projectId, viewer)
    return await this.change(projectId, viewer, async (transaction) => {
      const found = await subscriberWithId(transaction, id)
      if (found?.projectId !== projectId) return missingSubscriber
      await removeSubscriber(transaction, id)
      // the audit log is kept for long, so that it does not name the address
      return { done: true, audit: { action: 'subscriber.remove', subject: found.list } }
    })
  }

  /**
   * Takes an address that was entered in a form. The caller is told nothing of its state: the form looks the same for an
   * address that is subscribed. Returns whether addresses of this form are asked to confirm.
   */
  async signUp({ projectId, list: key, email, language, distinctId }: SignUp): Promise<boolean> {
    const { store, world, canMail } = this.dependencies
    const read = subscriberAddress.safeParse(email)
    const list = (await listsOf(store, projectId)).find((one) => one.key === key)
    if (!canMail() || !list?.isOpen || !read.success) return false
    const now = world.now()
    const addressHash = this.addressHash(projectId, read.data)
    await store.transaction(async (transaction) => {
      const before = await subscriberByHash(transaction, { projectId, list: key, addressHash })
      if (before && isAskedAlready(before, now)) return
      const sinceYesterday = new Date(now.getTime() - askEveryMs)
      if ((await countAskedSince(transaction, projectId, sinceYesterday)) >= mostAskedADay) return
      await saveSubscriber(transaction, {
        id: before?.id ?? newId(world),
        projectId,
        list: key,
        addressHash,
        address: read.data,
        distinctId,
        state: 'pending',
        language,
        source: 'form',
        consent: undefined,
        createdAt: before?.createdAt ?? now,
        changedAt: now,
        confirmedAt: undefined,
        askedAt: before?.askedAt,
        mailDueAt: now,
        mailAttempts: 0,
      })
      await transaction.announce(letterTopic)
    })
    return true
  }

  /** The subscription that a link confirms; undefined for a link that was used, is too old, or is not ours. */
  async awaiting(token: string): Promise<Subscriber | undefined> {
    return await this.awaitingIn(this.dependencies.store, token)
  }

  /** Uses the link: a second time it confirms nothing. */
  async confirm(token: string): Promise<Subscriber | undefined> {
    const { store, world } = this.dependencies
    const now = world.now()
    const confirmed = await store.transaction(async (transaction) => {
      const found = await this.awaitingIn(transaction, token)
      if (!found) return undefined
      const after = { ...found, state: 'confirmed' as const, confirmedAt: now, changedAt: now }
      await saveSubscriber(transaction, after)
      await transaction.announce(letterTopic)
      return after
    })
    if (confirmed)
      await this.dependencies.events.record([{ name: '$letter_subscribed', subscriber: confirmed }])
    return confirmed
  }

  async find(id: string): Promise<Subscriber | undefined> {
    return await subscriberWithId(this.dependencies.store, id)
  }

  /** Ends a subscription. What stays of the address is its hash. */
  async end(id: string, state: 'unsubscribed' | 'bounced' | 'complained'): Promise<Subscriber | undefined> {
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction) => {
      const found = await subscriberWithId(transaction, id)
      if (!found || (found.state !== 'confirmed' && found.state !== 'pending')) return undefined
      await saveSubscriber(transaction, { ...found, state, changedAt: world.now() })
      await transaction.announce(letterTopic)
      return found
    })
  }

  /** The names of a list and of its site in words to a subscriber, with the language of these words. */
  async namesOf({
    projectId,
    list,
    language,
  }: Pick<Subscriber, 'projectId' | 'list' | 'language'>): Promise<ListNames> {
    const { store, published } = this.dependencies
    const found = (await listsOf(store, projectId)).find(({ key }) => key === list)
    const site = published.site(projectId)
    return { list: found?.name ?? list, site: site?.name ?? '', language: language ?? site?.language ?? 'en' }
  }

  private async awaitingIn(source: TableSource, token: string): Promise<Subscriber | undefined> {
    const found = token.length > 100 ? undefined : await subscriberByToken(source, hashToken(token))
    if (found?.state !== 'pending' || !found.askedAt) return undefined
    const age = this.dependencies.world.now().getTime() - found.askedAt.getTime()
    return age < confirmationLifeMs ? found : undefined
  }

  private addressHash(projectId: number, address: string): string {
    return this.dependencies.seal.digest(`subscriber ${projectId} ${address}`)
  }

  private async addImported(
    transaction: StoreTransaction,
    { projectId, list, address }: { projectId: number; list: string; address: string },
    consent: string,
  ): Promise<'added' | 'known' | 'left'> {
    const { world } = this.dependencies
    const now = world.now()
    const addressHash = this.addressHash(projectId, address)
    const before = await subscriberByHash(transaction, { projectId, list, addressHash })
    if (before && before.state !== 'pending') return before.state === 'confirmed' ? 'known' : 'left'
    await saveSubscriber(transaction, {
      id: before?.id ?? newId(world),
      projectId,
      list,
      addressHash,
      address,
      distinctId: before?.distinctId ?? emailPersonId(projectId, address),
      state: 'confirmed',
      language: before?.language,
      source: 'import',
      consent,
      createdAt: before?.createdAt ?? now,
      changedAt: now,
      confirmedAt: now,
      askedAt: before?.askedAt,
      mailDueAt: undefined,
      mailAttempts: 0,
    })
    return 'added'
  }

  /** A change by a member, with its entry in the audit log. */
  private async change<Done extends object>(
    projectId: number,
    viewer: Viewer,
    work: (
      transaction: StoreTransaction,
    ) => Promise<Outcome<Done & { audit: Omit<Parameters<typeof recordAudit>[1], 'projectId'> }>>,
  ): Promise<Outcome<Done>> {
    const { store, world } = this.dependencies
    return await store.transaction(async (transaction) => {
      const outcome = await work(transaction)
      if (!outcome.done) return outcome
      const { audit, ...done } = outcome
      await recordAudit(transaction, { ...audit, projectId }, viewer, world.now())
      await transaction.announce(letterTopic)
      return done
    })
  }
}

function isAskedAlready({ state, askedAt, mailDueAt }: Subscriber, now: Date): boolean {
  if (state === 'confirmed') return true
  if (state === 'pending' && mailDueAt) return true
  return askedAt !== undefined && now.getTime() - askedAt.getTime() < askEveryMs
}

const countsOf = (
  list: string,
  counts: Awaited<ReturnType<typeof subscriberCounts>>,
): Record<SubscriberState, number> => {
  const of = (state: SubscriberState) =>
    counts.find((one) => one.list === list && one.state === state)?.subscribers ?? 0
  return {
    pending: of('pending'),
    confirmed: of('confirmed'),
    unsubscribed: of('unsubscribed'),
    bounced: of('bounced'),
    complained: of('complained'),
    erased: of('erased'),
  }
}

/** Defaults of fields that the input does not name are left out. */
const givenFields = (input: unknown, values: Partial<LetterSettings>): Partial<LetterSettings> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name]) => typeof input === 'object' && input !== null && Object.hasOwn(input, name),
    ),
  )

const exportRow = (subscriber: Subscriber): string[] => [
  subscriber.address ?? '',
  subscriber.state,
  subscriber.source,
  subscriber.consent ?? '',
  subscriber.createdAt.toISOString(),
  subscriber.confirmedAt?.toISOString() ?? '',
]

/** Reads the first cell of each line that is an address; a line of headings has none. */
export function addressesInTable(text: string): { addresses: string[]; unreadable: string[] } {
  const addresses = new Set<string>()
  const unreadable: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replaceAll(/^"|"$/g, ''))
    const found = cells.map((cell) => subscriberAddress.safeParse(/<([^<>]+)>$/.exec(cell)?.[1] ?? cell))
    const address = found.find(({ success }) => success)?.data
    if (address !== undefined) addresses.add(address)
    else if (index > 0 || line.includes('@')) unreadable.push(line.trim().slice(0, 200))
  }
  return { addresses: [...addresses], unreadable }
}
