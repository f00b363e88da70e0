import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isUniqueViolation, type Store, type StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type MemberViewer, requireRecentPassword } from '../access'
import type { Member } from '../members'
import { nameFor } from '../name'
import { type Outcome, parseInput, failedOutcome } from '../problems'
import { hashToken } from '../secrets'
import type { SecondFactors, SecretBox } from './second-factors'
import { addPasskey, findPasskey, passkeysOf, removePasskeys, usePasskey } from './stored-factors'
import { findMember } from './stored-members'
import { addStep } from './stored-steps'

/** A key pair of a member's device or password manager; the public key is stored here. */
export interface Passkey {
  id: string
  memberId: string
  name: string
  /** A COSE key in base64url. */
  publicKey: string
  counter: number
  transports: readonly string[]
  createdAt: Date
  usedAt: Date | undefined
}

interface PasskeyDependencies {
  store: Store
  world: World
  seal: SecretBox
  factors: SecondFactors
  /** The addresses of the studio; passkeys belong to the host of the first one. */
  addresses: readonly string[]
}

/** Loaded with the first passkey: it takes 5 MB of heap. */
const webauthn = () => import('@simplewebauthn/server')

const challengeLastsMs = 5 * 60_000
const maxPerMember = 20

/** The response of a browser. The library validates it; here an id and a response are enough. */
const credential = z.looseObject({ id: z.string().max(1024), response: z.looseObject({}) })
const registration = z.object({
  name: nameFor('Give the passkey a name.'),
  credential: z.string().max(100_000),
})

/** Passkeys (WebAuthn), always with user verification: the device requires a PIN, finger or face. */
export class Passkeys {
  constructor(private readonly dependencies: PasskeyDependencies) {}

  /** Why passkeys are unavailable: browsers need a host name, with https or localhost. */
  get objection(): string | undefined {
    const url = URL.parse(this.dependencies.addresses[0] ?? '')
    if (!url) return 'Passkeys need TILTH_URL.'
    if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0)
      return 'Passkeys need a host name in TILTH_URL instead of an IP address.'
    if (url.protocol !== 'https:' && !/^(?:localhost|.*\.localhost)$/.test(url.hostname))
      return 'Passkeys need https in TILTH_URL.'
    return undefined
  }

  async beginRegistration(
    viewer: MemberViewer,
  ): Promise<Outcome<{ options: PublicKeyCredentialCreationOptionsJSON }>> {
    requireRecentPassword(viewer, this.dependencies.world.now())
    if (this.objection) return failedOutcome(this.objection)
    const known = await passkeysOf(this.dependencies.store, viewer.memberId)
    if (known.length >= maxPerMember) return failedOutcome(`Remove one first: ${maxPerMember} are the most.`)
    const { generateRegistrationOptions } = await webauthn()
    const options = await generateRegistrationOptions({
      rpName: 'Tilth',
      rpID: this.rpId,
      userID: Uint8Array.from(Buffer.from(viewer.memberId)),
      userName: viewer.email,
      userDisplayName: viewer.name,
      challenge: this.newChallenge(`register ${viewer.memberId}`),
      attestationType: 'none',
      excludeCredentials: known.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    return { done: true, options }
  }

  /** Adds a passkey. Returns recovery codes if it is the first factor; they are shown only this once. */
  async register(input: unknown, viewer: MemberViewer): Promise<Outcome<{ recoveryCodes: string[] }>> {
    requireRecentPassword(viewer, this.dependencies.world.now())
    const parsed = parseInput(registration, input)
    if (!parsed.done) return parsed
    const made = await this.verifiedRegistration(parsed.value.credential, viewer)
    if (!made) return failedOutcome('The passkey could not be verified. Try again.')
    const { store, factors, world } = this.dependencies
    const passkey = { ...made, memberId: viewer.memberId, name: parsed.value.name, usedAt: undefined }
    try {
      return await store.transaction(async (transaction) => {
        await addPasskey(transaction, { ...passkey, createdAt: world.now() })
        return { done: true, recoveryCodes: await factors.added('passkey', viewer, transaction) }
      })
    } catch (problem) {
      if (isUniqueViolation(problem)) return failedOutcome('This passkey is registered already.')
      throw problem
    }
  }

  async remove(id: string, viewer: MemberViewer): Promise<Outcome> {
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.dependencies.store.transaction(async (transaction) => {
      const passkey = await findPasskey(transaction, id)
      if (passkey?.memberId !== viewer.memberId) return failedOutcome('This passkey no longer exists.')
      await removePasskeys(transaction, viewer.memberId, id)
      await this.dependencies.factors.removed('passkey', viewer, transaction)
      return { done: true }
    })
  }

  /** Begins a sign-in without an e-mail address: the browser offers its passkeys for this host. */
  async beginSignIn(): Promise<Outcome<{ options: PublicKeyCredentialRequestOptionsJSON }>> {
    if (this.objection) return failedOutcome(this.objection)
    const { generateAuthenticationOptions } = await webauthn()
    const options = await generateAuthenticationOptions({
      rpID: this.rpId,
      challenge: this.newChallenge('sign in'),
      userVerification: 'required',
    })
    return { done: true, options }
  }

  /** Verifies a response and returns the passkey's member. The challenge cannot be used again. */
  async verify(input: unknown): Promise<Member | undefined> {
    const response = credentialIn(input) as AuthenticationResponseJSON | undefined // the library validates every field
    const { store, world } = this.dependencies
    const passkey = response && (await findPasskey(store, response.id))
    if (!response || !passkey) return undefined
    let challenge = ''
    const { verifyAuthenticationResponse } = await webauthn()
    const verified = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (one) => this.isOwnChallenge((challenge = one), 'sign in'),
      expectedOrigin: [...this.dependencies.addresses],
      expectedRPID: this.rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(() => undefined)
    if (!verified?.verified) return undefined
    return await this.withChallengeOnce(challenge, async (transaction) => {
      await usePasskey(transaction, passkey.id, verified.authenticationInfo.newCounter, world.now())
      return await findMember(transaction, { id: passkey.memberId })
    })
  }

  private async verifiedRegistration(input: string, viewer: MemberViewer) {
    const response = credentialIn(input) as RegistrationResponseJSON | undefined // the library validates every field
    if (!response) return undefined
    let challenge = ''
    const { verifyRegistrationResponse } = await webauthn()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (one) => this.isOwnChallenge((challenge = one), `register ${viewer.memberId}`),
      expectedOrigin: [...this.dependencies.addresses],
      expectedRPID: this.rpId,
      requireUserVerification: true,
    }).catch(() => ({ verified: false, registrationInfo: undefined }))
    if (!verified || !registrationInfo) return undefined
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return await this.withChallengeOnce(challenge, async () => ({
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports,
    }))
  }

  private get rpId(): string {
    return URL.parse(this.dependencies.addresses[0] ?? '')?.hostname ?? ''
  }

  /** The challenge can be verified without being stored, so requesting one costs no write. */
  private newChallenge(purpose: string): Uint8Array<ArrayBuffer> {
    const { world } = this.dependencies
    const endsAt = world.now().getTime() + challengeLastsMs
    const head = `${Buffer.from(world.random(24)).toString('base64url')}.${endsAt}`
    return Uint8Array.from(Buffer.from(`${head}.${this.signatureOf(head, purpose)}`))
  }

  private isOwnChallenge(challenge: string, purpose: string): boolean {
    const [random = '', endsAt = '', mark] = Buffer.from(challenge, 'base64url').toString().split('.')
    if (mark !== this.signatureOf(`${random}.${endsAt}`, purpose)) return false
    return this.dependencies.world.now().getTime() < Number(endsAt)
  }

  private signatureOf(head: string, purpose: string): string {
    return this.dependencies.seal.digest(`challenge to ${purpose} ${head}`)
  }

  /** An answered challenge is remembered until it would expire. */
  private async withChallengeOnce<Result>(
    challenge: string,
    work: (transaction: StoreTransaction) => Promise<Result>,
  ): Promise<Result | undefined> {
    const now = this.dependencies.world.now()
    const endsAt = new Date(now.getTime() + challengeLastsMs)
    const used = { kind: 'used-challenge', memberId: undefined, body: {} } as const
    try {
      return await this.dependencies.store.transaction(async (transaction) => {
        await addStep(transaction, hashToken(challenge), used, { now, endsAt })
        return await work(transaction)
      })
    } catch (problem) {
      if (isUniqueViolation(problem)) return undefined
      throw problem
    }
  }
}

function credentialIn(input: unknown): { id: string; response: object } | undefined {
  try {
    const { success, data } = credential.safeParse(JSON.parse(String(input)))
    return success ? data : undefined
  } catch {
    return undefined
  }
}
