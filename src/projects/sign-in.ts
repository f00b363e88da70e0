import { z } from 'zod'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import type { MemberViewer, RequestOrigin } from './access'
import { recordAudit } from './audit'
import { email, type Member } from './members'
import { hashPassword, isOutdated, isPassword, placeholderHash } from './passwords'
import { type Outcome, parseInput, type FailedOutcome, failedOutcome } from './problems'
import { type DeviceToken, KnownDevices } from './internal/known-devices'
import { throttledNetworkOf } from './origin'
import type { Passkeys } from './internal/passkeys'
import type { SecondFactors } from './internal/second-factors'
import { hashToken, newToken } from './secrets'
import { type RequestSource, type SignInMethod, type SignInProof, signInMethods } from './session-proof'
import { hasFactor } from './internal/stored-factors'
import { findMember, passwordHashOf, savePasswordHash } from './internal/stored-members'
import { touchSession } from './internal/stored-sessions'
import { addStep, findStep, takeStep } from './internal/stored-steps'
import { Sessions } from './internal/sessions'
import { type SignInAttempt, waitInWords, GuessThrottle } from './throttle'

const password = z.string({ error: 'Give your password.' }).min(1, 'Give your password.')
const credentials = z.object({ email, password })
const confirmation = z.object({ password })

const wrongCredentials = 'The address or the password is wrong.'

/** The cookies for a browser whose member has signed in. */
export interface SignInResult {
  token: string
  endsAt: Date
  device: DeviceToken
  step?: undefined
}

/** The password was right, and a second factor is required; the browser keeps the token until then. */
export interface SecondFactorRequired {
  step: { token: string; endsAt: Date }
  token?: undefined
}

const stepLastsMs = 10 * 60_000
const secondFactor = z.object({
  code: z.string({ error: 'Type the code.' }).trim().min(1, 'Type the code.').max(100),
})
const secondFactorStep = z.object({
  method: z.enum(signInMethods),
  authenticatedAt: z.coerce.date().optional(),
})

interface SignInDependencies {
  store: Store
  world: World
  /** A digest that only this installation's key can produce. */
  digest: (text: string) => string
  factors: Pick<SecondFactors, 'useCode'>
  passkeys: Pick<Passkeys, 'verify'>
  /** The only provider through which members may sign in, if set. */
  requiredProvider?: string | undefined
}

/** Signs members in with a password. */
export class SignIn {
  readonly sessions: Sessions
  private readonly throttle: GuessThrottle
  private readonly devices: KnownDevices

  constructor(private readonly dependencies: SignInDependencies) {
    this.sessions = new Sessions(dependencies)
    this.throttle = new GuessThrottle(dependencies)
    this.devices = new KnownDevices(dependencies)
  }

  async signIn(
    input: unknown,
    origin: RequestOrigin,
    source: RequestSource = {},
  ): Promise<Outcome<SignInResult | SecondFactorRequired>> {
    const refusal = this.closedForPasswords()
    if (refusal) return refusal
    const parsed = parseInput(credentials, input)
    if (!parsed.done) return parsed
    const attempt = await this.attemptFrom(parsed.value.email, origin, source)
    const verified = await this.verifyPassword(parsed.value, attempt, origin)
    if (!verified.done) return verified
    return { done: true, ...(await this.enter(verified.member, { method: 'password' }, origin, source)) }
  }

  /** Begins a session, or the second step if the member has a second factor. */
  async enter(
    member: Member,
    proof: { method: SignInMethod; authenticatedAt?: Date },
    origin: RequestOrigin,
    source: RequestSource = {},
  ): Promise<SignInResult | SecondFactorRequired> {
    if (!(await hasFactor(this.dependencies.store, member.id)))
      return await this.welcome(member, origin, source, proof)
    const { store, world } = this.dependencies
    const now = world.now()
    const step = { token: newToken(world), endsAt: new Date(now.getTime() + stepLastsMs) }
    const body = { kind: 'second-factor', memberId: member.id, body: proof } as const
    await store.transaction((transaction) =>
      addStep(transaction, hashToken(step.token), body, { now, endsAt: step.endsAt }),
    )
    return { step }
  }

  /** Whether a second step with this token is pending. */
  async isStepOpen(token: string | undefined): Promise<boolean> {
    if (!token) return false
    const { store, world } = this.dependencies
    return (await findStep(store, hashToken(token), 'second-factor', world.now())) !== undefined
  }

  /** Completes the second step with a code of the app or a recovery code. */
  async finish(
    token: string | undefined,
    input: unknown,
    origin: RequestOrigin,
    source: RequestSource = {},
  ): Promise<Outcome<SignInResult>> {
    const { store, world } = this.dependencies
    const hash = hashToken(token ?? '')
    const step = token ? await findStep(store, hash, 'second-factor', world.now()) : undefined
    const member = step?.memberId ? await findMember(store, { id: step.memberId }) : undefined
    if (!step || !member) return failedOutcome('This took too long. Sign in again.')
    const parsed = parseInput(secondFactor, input)
    if (!parsed.done) return parsed
    const attempt = { ...(await this.attemptFrom(member.email, origin, source)), guardsSecondFactor: true }
    const admission = await this.throttle.admit({ ...attempt, account: `second factor of ${member.id}` })
    if (!admission.admitted)
      return failedOutcome(
        `Too many wrong codes. Wait ${waitInWords(admission.seconds)} and try again.`,
        'code',
      )
    const used = await this.useCode(member, hash, parsed.value.code, origin)
    if (used === 'wrong') return failedOutcome('This code is wrong, or has been used.', 'code')
    if (used === 'gone') return failedOutcome('This took too long. Sign in again.')
    await this.throttle.succeeded({ ...attempt, account: `second factor of ${member.id}` }, admission)
    const proof = { ...secondFactorStep.parse(step.body), hasSecondFactor: true }
    return { done: true, ...(await this.welcome(member, origin, source, proof)) }
  }

  /** Signs in with a passkey, which is two factors at once: the device, and what unlocks it. */
  async byPasskey(
    response: unknown,
    origin: RequestOrigin,
    source: RequestSource = {},
  ): Promise<Outcome<SignInResult>> {
    const refusal = this.closedForPasswords()
    if (refusal) return refusal
    const member = await this.dependencies.passkeys.verify(response)
    if (!member)
      return failedOutcome('This passkey is not known here, or its answer came too late. Try again.')
    const proof = { method: 'passkey', hasSecondFactor: true } as const
    return { done: true, ...(await this.welcome(member, origin, source, proof)) }
  }

  private closedForPasswords(): FailedOutcome | undefined {
    const { requiredProvider } = this.dependencies
    return requiredProvider === undefined
      ? undefined
      : failedOutcome(`Sign in with ${requiredProvider}: passwords are switched off here.`)
  }

  private async useCode(
    member: Member,
    stepHash: string,
    typed: string,
    origin: RequestOrigin,
  ): Promise<'used' | 'wrong' | 'gone'> {
    return await this.dependencies.store.transaction(async (transaction) => {
      const kind = await this.dependencies.factors.useCode(member, typed, transaction)
      if (!kind) await this.note('sign-in.second-failed', member, origin, transaction)
      if (!kind) return 'wrong'
      if (kind === 'recovery') await this.note('recovery.use', member, origin, transaction)
      return (await takeStep(transaction, stepHash)) ? 'used' : 'gone'
    })
  }

  /** Begins a session for a verified member. */
  async welcome(
    member: Member,
    origin: RequestOrigin,
    source: RequestSource = {},
    proof: SignInProof = {},
  ): Promise<SignInResult> {
    const device = await this.dependencies.store.transaction(async (transaction) => {
      await this.note('sign-in', member, origin, transaction)
      return await this.devices.remember(member, source.device, transaction)
    })
    return { ...(await this.sessions.begin(member, origin, { ...proof, via: source.via })), device }
  }

  /** Verifies the password again before an action that an unlocked screen must not allow. */
  async confirm(input: unknown, viewer: MemberViewer): Promise<Outcome> {
    const parsed = parseInput(confirmation, input)
    if (!parsed.done) return parsed
    const given = { email: viewer.email, password: parsed.value.password }
    const verified = await this.verifyPassword(given, attemptInSession(viewer), viewer.origin)
    if (!verified.done)
      return failedOutcome(
        verified.problems[0]?.message === wrongCredentials
          ? 'This is not your password.'
          : waitMessage(verified),
        'password',
      )
    const now = this.dependencies.world.now()
    await touchSession(this.dependencies.store, viewer.sessionId, { seenAt: now, authenticatedAt: now })
    return { done: true }
  }

  /** Members who joined through the provider have no password until they choose one. */
  async hasPassword({ memberId }: MemberViewer): Promise<boolean> {
    return Boolean(await passwordHashOf(this.dependencies.store, memberId))
  }

  private async attemptFrom(
    account: string,
    origin: RequestOrigin,
    source: RequestSource,
  ): Promise<SignInAttempt> {
    return {
      account,
      network: source.address ? throttledNetworkOf(source.address) : origin.address,
      address: source.address && this.dependencies.digest(`address ${source.address}`),
      device: await this.devices.recognise(source.device, account),
    }
  }

  /** Responds in the same way and time whether or not the member exists. */
  private async verifyPassword(
    input: { email: string; password: string },
    attempt: SignInAttempt,
    origin: RequestOrigin,
  ): Promise<Outcome<{ member: Member }>> {
    const { store } = this.dependencies
    const admission = await this.throttle.admit(attempt)
    if (!admission.admitted)
      return failedOutcome(`Too many wrong passwords. Wait ${waitInWords(admission.seconds)} and try again.`)

    const member = await findMember(store, { email: input.email })
    const hashed = await passwordHashOf(store, member?.id ?? '')
    const right = await isPassword(input.password, hashed || placeholderHash)
    if (!member || !hashed || !right) return await this.refuse(member, origin)

    await this.throttle.succeeded(attempt, admission)
    if (isOutdated(hashed)) await savePasswordHash(store, member.id, await hashPassword(input.password))
    return { done: true, member }
  }

  private async refuse(member: Member | undefined, origin: RequestOrigin): Promise<Outcome<never>> {
    // one transaction in both cases: a second one only for members would reveal accounts by its duration
    await this.dependencies.store.transaction(async (transaction) => {
      if (member) await this.note('sign-in.failed', member, origin, transaction)
    })
    return failedOutcome(wrongCredentials)
  }

  private async note(
    action: 'sign-in' | 'sign-in.failed' | 'sign-in.second-failed' | 'recovery.use',
    member: Member,
    origin: RequestOrigin,
    transaction: StoreTransaction,
  ): Promise<void> {
    const now = this.dependencies.world.now()
    await recordAudit(
      transaction,
      { action, subject: member.email },
      signingInViewer(member, origin, now),
      now,
    )
  }
}

/** Guesses in a session are counted apart from guesses for the account, so that neither throttles the other. */
const attemptInSession = ({ email: account, sessionId }: MemberViewer): SignInAttempt => ({
  account,
  network: '',
  device: `session ${sessionId}`,
})

const waitMessage = (refusal: { problems: { message: string }[] }): string =>
  refusal.problems[0]?.message ?? wrongCredentials

/** A viewer for the audit log before there is a session; it has no rights. */
export const signingInViewer = (
  { id, name, email: address }: Member,
  origin: RequestOrigin,
  now: Date,
): MemberViewer => ({
  kind: 'member',
  memberId: id,
  name,
  email: address,
  sessionId: '',
  authenticatedAt: now,
  roles: new Map(),
  origin,
})
