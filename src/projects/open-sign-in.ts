import type { OpenedModule } from '#jobs/jobs'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Mailer, type MailSettings } from '#outbound/mailer'
import { Outbound } from '#outbound/outbound'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { OidcClient } from './internal/oidc-client'
import type { OidcSettings } from './oidc-settings'
import { OidcSignIn } from './internal/oidc-sign-in'
import type { ProjectServices } from './open'
import { Passkeys } from './internal/passkeys'
import { PasswordResets } from './internal/password-resets'
import { resetLetterJob, resetLettersJob } from './internal/reset-letters'
import { type SecretBox, SecondFactors } from './internal/second-factors'
import { Setup } from './internal/setup'
import { SignIn } from './sign-in'
import { SignInRules } from './internal/sign-in-rules'

interface SignInServicesDependencies {
  store: Store
  world: World
  projects: ProjectServices
  seal: SecretBox & { digest: (text: string) => string }
  canMail: () => boolean
  /** The value of TILTH_OUTBOUND_ALLOW. */
  allow: string | undefined
  /** The addresses of this Tilth, the main one first. */
  addresses: readonly string[]
  /** An identity provider whose users may sign in. */
  oidc: OidcSettings | undefined
  /** The mail server, and the origin of links, in the process that sends letters. */
  sender: { origin: string; mail: () => MailSettings | undefined } | undefined
  onTrouble: (problem: unknown) => void
}

/** Signing in, and all proofs of who a member is. */
export class SignInServices extends SignIn {
  /** Absent if no provider is configured. */
  readonly oidc: OidcSignIn | undefined
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly passwordResets: PasswordResets
  readonly rules: SignInRules
  readonly setup: Setup

  constructor(dependencies: SignInServicesDependencies) {
    const { store, world, seal, canMail, addresses, oidc, projects } = dependencies
    const secondFactors = new SecondFactors({ store, world, seal })
    const passkeys = new Passkeys({ store, world, seal, addresses, factors: secondFactors })
    super({
      store,
      world,
      digest: (text) => seal.digest(text),
      factors: secondFactors,
      passkeys,
      requiredProvider: oidc?.isRequired ? oidc.name : undefined,
    })
    this.oidc = oidc && openOidc(dependencies, oidc, this)
    this.secondFactors = secondFactors
    this.passkeys = passkeys
    this.passwordResets = new PasswordResets({ store, world, seal, canMail })
    this.rules = new SignInRules({ store, world })
    this.setup = new Setup({ store, world }, projects, projects.keys)
  }
}

/** The job to run at once after a change, by the topic of the change. */
export const signInJobAtOnceAfter: Readonly<Record<string, string>> = { 'password-resets': resetLetterJob }

export function openSignIn(dependencies: SignInServicesDependencies): OpenedModule<SignInServices> {
  const { sender } = dependencies
  const services = new SignInServices(dependencies)
  const mailer = sender && new Mailer(sender.mail)
  return {
    services,
    jobs: sender && mailer ? [resetLettersJob(services.passwordResets, mailer, sender.origin)] : [],
    close: () => mailer?.close(),
  }
}

function openOidc(
  { store, world, seal, onTrouble, allow, addresses }: SignInServicesDependencies,
  settings: OidcSettings,
  signIn: SignIn,
): OidcSignIn {
  const outbound = new Outbound({ allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist })
  const client = new OidcClient({
    settings,
    redirectUri: new URL('/studio/oidc/callback', addresses[0] ?? 'http://localhost').href,
    fetch: (address, options) => outbound.fetch(address, options),
  })
  return new OidcSignIn({ store, world, seal, onTrouble, settings, client, signIn })
}
