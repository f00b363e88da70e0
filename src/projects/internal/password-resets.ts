import { z } from 'zod'
import type { Store, TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { World } from '#world/world'
import { type RequestOrigin, AccessRefusedError, type Viewer } from '../access'
import { recordAudit } from '../audit'
import { email, type Member } from '../members'
import { throttledNetworkOf } from '../origin'
import { removeKnownDevices } from './known-devices'
import { hashPassword, passwordProblem } from '../passwords'
import { type Outcome, parseInput, failedOutcome } from '../problems'
import { hashToken, newToken } from '../secrets'
import type { SecretBox } from './second-factors'
import type { RequestSource } from '../session-proof'
import { signingInViewer } from '../sign-in'
import { findMember, savePasswordHash } from './stored-members'
import { endSessions } from './stored-sessions'
import { removeStepsOf } from './stored-steps'
import { waitInWords, GuessThrottle } from '../throttle'

interface PasswordReset {
  tokenHash: string
  memberId: string | undefined
  /** Encrypted; undefined if no mail is to be sent. */
  letter: string | undefined
  createdAt: Date
  endsAt: Date
}

const open = openTables<{ passwordResets: RowsOf<PasswordReset> }>()

const linkLastsMs = 30 * 60_000

const resetRequest = z.object({ email })
const newPasswordInput = z.object({ password: z.string({ error: 'Choose a new password.' }) })
const letterShape = z.object({ to: z.string(), name: z.string(), token: z.string() })

/** A mail to a member who forgot the password, sent by the front process. */
export interface ResetLetter {
  to: string
  name: string
  token: string
}

const invalidLink = 'This link is no longer valid. It works once, for 30 minutes; ask for a new one.'

interface PasswordResetDependencies {
  store: Store
  world: World
  seal: SecretBox
  /** Whether links can be mailed. Without a mail server, they are created on the command line. */
  canMail: () => boolean
}

/** Replaces forgotten passwords. A second factor is still required at the sign-in that follows. */
export class PasswordResets {
  private readonly throttle: GuessThrottle

  constructor(private readonly dependencies: PasswordResetDependencies) {
    this.throttle = new GuessThrottle(dependencies)
  }

  get canMail(): boolean {
    return this.dependencies.canMail()
  }

  /** Responds in the same way and time whether or not a member has the address; the mail is sent later. */
  async ask(input: unknown, origin: RequestOrigin, source: RequestSource = {}): Promise<Outcome> {
    if (!this.canMail)
      return failedOutcome('This Tilth has no mail server. Ask its administrator for a link.')
    const parsed = parseInput(resetRequest, input)
    if (!parsed.done) return parsed
    const { store, seal, world } = this.dependencies
    const admission = await this.throttle.admit({
      account: `reset ${parsed.value.email}`,
      network: source.address ? throttledNetworkOf(source.address) : origin.address,
      address: source.address && seal.digest(`address ${source.address}`),
    })
    if (!admission.admitted)
      return failedOutcome(`Asked too often. Wait ${waitInWords(admission.seconds)} and try again.`)
    const member = await findMember(store, { email: parsed.value.email })
    const token = newToken(world)
    const letter: ResetLetter = { to: parsed.value.email, name: member?.name ?? 'Nobody', token }
    await this.keep(token, member, letter, member && signingInViewer(member, origin, world.now()))
    return { done: true }
  }

  /** Creates a reset link for the command line; no mail is sent. */
  async makeLink(address: string, viewer: Viewer): Promise<Outcome<{ token: string }>> {
    if (viewer.kind !== 'operator')
      throw new AccessRefusedError(
        'not-allowed',
        'Links are made on the machine itself, with "tilth member".',
      )
    const member = await findMember(this.dependencies.store, { email: address.trim().toLowerCase() })
    if (!member) return failedOutcome(`No member has the address "${address}".`, 'email')
    const token = newToken(this.dependencies.world)
    await this.keep(token, member, undefined, viewer)
    return { done: true, token }
  }

  async complete(token: string, input: unknown, origin: RequestOrigin): Promise<Outcome<{ email: string }>> {
    const { store, world } = this.dependencies
    const tokenHash = hashToken(token)
    const found = await findReset(store, tokenHash, world.now())
    const member = found && (await findMember(store, { id: found.memberId }))
    if (!member) return failedOutcome(invalidLink)
    const parsed = parseInput(newPasswordInput, input)
    if (!parsed.done) return parsed
    const problem = await passwordProblem(parsed.value.password, [member.email, member.name])
    if (problem) return { done: false, problems: [problem] }
    const hashed = await hashPassword(parsed.value.password)
    return await store.transaction(async (transaction) => {
      // two people may have the same link: the first one counts
      if (!(await findReset(transaction, tokenHash, world.now()))) return failedOutcome(invalidLink)
      await removeResets(transaction, { memberId: member.id })
      await savePasswordHash(transaction, member.id, hashed)
      await endSessions(transaction, member.id, {})
      await removeStepsOf(transaction, member.id)
      await removeKnownDevices(transaction, { memberId: member.id, beyond: 0 })
      await transaction.announce('sessions')
      const viewer = signingInViewer(member, origin, world.now())
      await recordAudit(
        transaction,
        { action: 'member.password', subject: member.email },
        viewer,
        world.now(),
      )
      return { done: true, email: member.email }
    })
  }

  /** Sends due mails. A failed one is retried until its link expires. */
  async sendLetters(send: (letter: ResetLetter) => Promise<'sent' | 'later' | 'never'>): Promise<void> {
    const { store, seal, world } = this.dependencies
    for (const reset of await unsentResets(store, world.now())) {
      if (reset.memberId === undefined) {
        await removeResets(store, { tokenHash: reset.tokenHash })
        continue
      }
      const opened = reset.letter && seal.open(reset.letter, letterSealPurpose(reset.tokenHash))
      const letter = letterShape.safeParse(opened === undefined ? undefined : JSON.parse(opened || 'null'))
      const outcome = letter.success ? await send(letter.data) : 'never'
      if (outcome !== 'later') await markResetSent(store, reset.tokenHash)
    }
  }

  private async keep(
    token: string,
    member: Member | undefined,
    letter: ResetLetter | undefined,
    viewer: Viewer | undefined,
  ): Promise<void> {
    const { store, world, seal } = this.dependencies
    const now = world.now()
    const tokenHash = hashToken(token)
    const sealed = letter && seal.close(JSON.stringify(letter), letterSealPurpose(tokenHash))
    await store.transaction(async (transaction) => {
      await addReset(transaction, {
        tokenHash,
        memberId: member?.id,
        letter: sealed,
        createdAt: now,
        endsAt: new Date(now.getTime() + linkLastsMs),
      })
      await transaction.announce('password-resets')
      if (member && viewer)
        await recordAudit(transaction, { action: 'password.ask', subject: member.email }, viewer, now)
    })
  }
}

const letterSealPurpose = (tokenHash: string): string => `letter of ${tokenHash}`

async function addReset(source: TableSource, reset: PasswordReset): Promise<void> {
  await open(source).deleteFrom('passwordResets').where('endsAt', '<=', reset.createdAt).execute()
  await open(source)
    .insertInto('passwordResets')
    .values(rowOf(['tokenHash', 'memberId', 'letter', 'createdAt', 'endsAt'], reset))
    .execute()
}

async function findReset(
  source: TableSource,
  tokenHash: string,
  now: Date,
): Promise<{ memberId: string } | undefined> {
  const row = await open(source)
    .selectFrom('passwordResets')
    .select('memberId')
    .where('tokenHash', '=', tokenHash)
    .where('endsAt', '>', now)
    .executeTakeFirst()
  return row?.memberId ? { memberId: row.memberId } : undefined
}

async function removeResets(
  source: TableSource,
  which: { memberId: string } | { tokenHash: string },
): Promise<void> {
  const forgetting = open(source).deleteFrom('passwordResets')
  await (
    'memberId' in which
      ? forgetting.where('memberId', '=', which.memberId)
      : forgetting.where('tokenHash', '=', which.tokenHash)
  ).execute()
}

const unsentResets = async (source: TableSource, now: Date): Promise<PasswordReset[]> =>
  await open(source)
    .selectFrom('passwordResets')
    .selectAll()
    .where('letter', 'is not', null)
    .where('endsAt', '>', now)
    .execute()

async function markResetSent(source: TableSource, tokenHash: string): Promise<void> {
  await open(source)
    .updateTable('passwordResets')
    .set({ letter: null })
    .where('tokenHash', '=', tokenHash)
    .execute()
}
