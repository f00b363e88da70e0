import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type MemberViewer, requireRecentPassword, type Viewer } from '../access'
import { recordAudit } from '../audit'
import type { AuditAction } from '../audit-actions'
import { type Outcome, parseInput, failedOutcome } from '../problems'
import { hashToken, newRecoveryCode, normalizeRecoveryCode } from '../secrets'
import { removeKnownDevices } from './known-devices'
import {
  countRecoveryCodes,
  findTotp,
  hasFactor,
  passkeysOf,
  removePasskeys,
  removeTotp,
  replaceRecoveryCodes,
  saveTotp,
  useRecoveryCode,
  useTotpStep,
} from './stored-factors'
import { findMember } from './stored-members'
import { endSessions, markSecondFactor } from './stored-sessions'
import { removeStepsOf } from './stored-steps'

/** Encrypts secrets at rest; its key is outside the store. */
export interface SecretBox {
  close: (text: string, about: string) => string
  open: (sealed: string, about: string) => string | undefined
  digest: (text: string) => string
}

interface SecondFactorStatus {
  hasApp: boolean
  passkeys: readonly { id: string; name: string; createdAt: Date; usedAt: Date | undefined }[]
  recoveryCodesLeft: number
}

const stepSeconds = 30
const recoveryCodeCount = 10
const code = z.object({
  code: z.string({ error: 'Type the code.' }).trim().min(1, 'Type the code.').max(100),
})

interface SecondFactorDependencies {
  store: Store
  world: World
  seal: SecretBox
}

/** Codes of an authenticator app (RFC 6238), and recovery codes for when every other factor is lost. */
export class SecondFactors {
  constructor(private readonly dependencies: SecondFactorDependencies) {}

  async status({ memberId }: MemberViewer): Promise<SecondFactorStatus> {
    const { store } = this.dependencies
    const totp = await findTotp(store, memberId)
    return {
      hasApp: totp?.confirmedAt !== undefined,
      passkeys: (await passkeysOf(store, memberId)).map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        createdAt,
        usedAt,
      })),
      recoveryCodesLeft: await countRecoveryCodes(store, memberId),
    }
  }

  /** Creates a secret for an app. It counts once a code of it was entered. */
  async beginApp(viewer: MemberViewer): Promise<Outcome<{ secret: string; address: string }>> {
    const { store, world, seal } = this.dependencies
    const now = world.now()
    requireRecentPassword(viewer, now)
    const known = await findTotp(store, viewer.memberId)
    if (known?.confirmedAt) return failedOutcome('An authenticator app is set up already. Remove it first.')
    const secret = new Secret({ buffer: Uint8Array.from(world.random(20)).buffer })
    await saveTotp(store, {
      memberId: viewer.memberId,
      secret: seal.close(secret.base32, totpSealPurpose(viewer.memberId)),
      createdAt: now,
      confirmedAt: undefined,
      lastStep: 0,
    })
    return { done: true, secret: secret.base32, address: totpFor(secret.base32, viewer.email).toString() }
  }

  /** Confirms an app. Returns recovery codes if they are the first; they are shown only this once. */
  async confirmApp(input: unknown, viewer: MemberViewer): Promise<Outcome<{ recoveryCodes: string[] }>> {
    requireRecentPassword(viewer, this.dependencies.world.now())
    const parsed = parseInput(code, input)
    if (!parsed.done) return parsed
    return await this.dependencies.store.transaction(async (transaction) => {
      const factor = await findTotp(transaction, viewer.memberId)
      if (!factor || factor.confirmedAt) return failedOutcome('Begin again: there is no app to confirm.')
      if (!(await this.isAppCode(viewer, parsed.value.code, transaction)))
        return failedOutcome(
          'This is not the code that the app shows now. Look at the clock of the phone.',
          'code',
        )
      const now = this.dependencies.world.now()
      const confirmed = await findTotp(transaction, viewer.memberId)
      await saveTotp(transaction, { ...(confirmed ?? factor), confirmedAt: now })
      return { done: true, recoveryCodes: await this.added('authenticator app', viewer, transaction) }
    })
  }

  async removeApp(viewer: MemberViewer): Promise<Outcome> {
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.dependencies.store.transaction(async (transaction) => {
      const factor = await findTotp(transaction, viewer.memberId)
      if (!factor?.confirmedAt) return failedOutcome('No authenticator app is set up.')
      await removeTotp(transaction, viewer.memberId)
      await this.removed('authenticator app', viewer, transaction)
      return { done: true }
    })
  }

  async renewRecoveryCodes(viewer: MemberViewer): Promise<Outcome<{ recoveryCodes: string[] }>> {
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.dependencies.store.transaction(async (transaction) => {
      if (!(await hasFactor(transaction, viewer.memberId)))
        return failedOutcome('Set up an authenticator app or a passkey first.')
      const recoveryCodes = await this.newRecoveryCodes(viewer.memberId, transaction)
      await this.note('recovery.renew', viewer.email, viewer, transaction)
      return { done: true, recoveryCodes }
    })
  }

  /** Removes all factors of a member who has lost them. For the command line. */
  async reset(address: string, viewer: Viewer): Promise<Outcome> {
    if (viewer.kind !== 'operator')
      return failedOutcome('Lost factors are removed on the machine itself, with "tilth member".')
    return await this.dependencies.store.transaction(async (transaction) => {
      const member = await findMember(transaction, { email: address.trim().toLowerCase() })
      if (!member) return failedOutcome(`No member has the address "${address}".`, 'email')
      await removeTotp(transaction, member.id)
      await removePasskeys(transaction, member.id)
      await replaceRecoveryCodes(transaction, member.id, [], this.dependencies.world.now())
      await this.endElsewhere(member.id, undefined, transaction)
      await this.note('factor.remove', member.email, viewer, transaction, { before: { factor: 'every one' } })
      return { done: true }
    })
  }

  /** Returns the kind of a valid code, which cannot be used again. */
  async useCode(
    member: { id: string; email: string },
    typed: string,
    transaction: StoreTransaction,
  ): Promise<'app' | 'recovery' | undefined> {
    const account = { memberId: member.id, email: member.email }
    const factor = await findTotp(transaction, member.id)
    if (factor?.confirmedAt && (await this.isAppCode(account, typed, transaction))) return 'app'
    const hash = hashToken(normalizeRecoveryCode(typed))
    const isRecovery = await useRecoveryCode(transaction, member.id, hash, this.dependencies.world.now())
    return isRecovery ? 'recovery' : undefined
  }

  /**
   * Applies the effects of a new factor: this session has it, all others end, and the first one brings recovery codes.
   */
  async added(name: string, viewer: MemberViewer, transaction: StoreTransaction): Promise<string[]> {
    await markSecondFactor(transaction, viewer.sessionId)
    await this.endElsewhere(viewer.memberId, viewer.sessionId, transaction)
    await this.note('factor.add', viewer.email, viewer, transaction, { after: { factor: name } })
    const left = await countRecoveryCodes(transaction, viewer.memberId)
    return left > 0 ? [] : await this.newRecoveryCodes(viewer.memberId, transaction)
  }

  /** Recovery codes replace other factors, and are removed with the last of them. */
  async removed(name: string, viewer: MemberViewer, transaction: StoreTransaction): Promise<void> {
    const now = this.dependencies.world.now()
    if (!(await hasFactor(transaction, viewer.memberId)))
      await replaceRecoveryCodes(transaction, viewer.memberId, [], now)
    await this.endElsewhere(viewer.memberId, viewer.sessionId, transaction)
    await this.note('factor.remove', viewer.email, viewer, transaction, { before: { factor: name } })
  }

  /** A code works once for each time step, so that an observed code is useless. */
  private async isAppCode(
    { memberId, email }: Pick<MemberViewer, 'memberId' | 'email'>,
    typed: string,
    transaction: StoreTransaction,
  ): Promise<boolean> {
    const token = typed.replaceAll(/\s/g, '')
    const factor = await findTotp(transaction, memberId)
    const secret = factor && this.dependencies.seal.open(factor.secret, totpSealPurpose(memberId))
    if (secret === undefined || !/^\d{6}$/.test(token)) return false
    const now = this.dependencies.world.now().getTime()
    const delta = totpFor(secret, email).validate({ token, timestamp: now, window: 1 })
    if (delta === null) return false
    return await useTotpStep(transaction, memberId, Math.floor(now / 1000 / stepSeconds) + delta)
  }

  private async newRecoveryCodes(memberId: string, transaction: StoreTransaction): Promise<string[]> {
    const { world } = this.dependencies
    const codes = Array.from({ length: recoveryCodeCount }, () => newRecoveryCode(world))
    const hashes = codes.map((one) => hashToken(normalizeRecoveryCode(one)))
    await replaceRecoveryCodes(transaction, memberId, hashes, world.now())
    return codes
  }

  private async endElsewhere(
    memberId: string,
    sessionId: string | undefined,
    transaction: StoreTransaction,
  ): Promise<void> {
    await endSessions(transaction, memberId, sessionId === undefined ? {} : { except: sessionId })
    await removeStepsOf(transaction, memberId)
    if (sessionId === undefined) await removeKnownDevices(transaction, { memberId, beyond: 0 })
    await transaction.announce('sessions')
  }

  private async note(
    action: AuditAction,
    subject: string,
    viewer: Viewer,
    transaction: StoreTransaction,
    change: { before?: unknown; after?: unknown } = {},
  ): Promise<void> {
    await recordAudit(transaction, { action, subject, ...change }, viewer, this.dependencies.world.now())
  }
}

const totpSealPurpose = (memberId: string): string => `authenticator app of ${memberId}`

const totpFor = (secret: string, email: string): TOTP =>
  new TOTP({
    issuer: 'Tilth',
    label: email,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
  })
