import { z } from 'zod'
import { mailNotSetUp, type MailSettings, parseMailSender, tryMailServer } from '#outbound/mailer'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { AccessRefusedError, isProgram, requireRecentPassword, type Viewer } from './access'
import { recordAudit } from './audit'
import { ownsInstallation, requireInstallationOwner } from './internal/installation-owner'
import {
  forgetMailServer,
  type MailAccount,
  mailServerTopic,
  saveMailServer,
  storedMailServer,
  type StoredMailServer,
} from './internal/mail-account'
import { type Outcome, failedOutcome, parseInput } from './problems'

/** The mail server without its password, which no browser gets. */
export interface ShownMailServer extends Omit<MailSettings, 'password'> {
  hasPassword: boolean
}

export interface MailServerReport {
  source: 'environment' | 'studio' | 'none'
  /** Absent where nothing is set up, and for members who may not change it. */
  server: ShownMailServer | undefined
  mayChange: boolean
  /** Whether another key encrypted the password, so that nothing is sent. */
  isUnreadable: boolean
}

const mailServerInput = z.object({
  host: z
    .string()
    .trim()
    .min(1, 'Name the mail server, such as smtp.example.com.')
    .max(253)
    .regex(/^[\w.:-]+$/, 'Use a host name or an IP address.'),
  port: z.number({ error: 'Use a port from 1 to 65535.' }).int().min(1).max(65_535),
  isSecure: z.boolean(),
  user: z.string().trim().max(254).default(''),
  /** Kept if empty. */
  password: z.string().max(1000).default(''),
  from: z
    .string()
    .trim()
    .transform((text, context) => {
      const sender = parseMailSender(text)
      if (sender !== undefined) return sender
      context.addIssue('Use an e-mail address, or a name and an address such as Tilth <tilth@example.com>.')
      return z.NEVER
    }),
})

const ofEnvironment = failedOutcome(
  'TILTH_SMTP and TILTH_MAIL_FROM set the mail server. Remove them and restart Tilth to set it here.',
)
const passwordAgain = failedOutcome(
  'Enter the password again: it belongs to another server or user.',
  'password',
)

interface MailServerDependencies {
  store: Store
  world: World
  account: MailAccount
}

/** The mail server of this installation. Its owners see and change it; the environment wins. */
export class MailServer {
  constructor(private readonly dependencies: MailServerDependencies) {}

  async read(viewer: Viewer): Promise<MailServerReport> {
    if (isProgram(viewer)) throw new AccessRefusedError('not-allowed', 'Only a signed-in member can do this.')
    const { store, account } = this.dependencies
    const mayChange = await ownsInstallation(store, viewer)
    const stored = account.isOfEnvironment ? undefined : await storedMailServer(store)
    const settings = account.isOfEnvironment ? account.settings() : stored
    return {
      source: account.isOfEnvironment ? 'environment' : stored ? 'studio' : 'none',
      server: mayChange && settings ? shown(settings) : undefined,
      mayChange,
      isUnreadable: stored !== undefined && account.unseal(stored) === undefined,
    }
  }

  async change(input: unknown, viewer: Viewer): Promise<Outcome> {
    const now = await this.requireChange(viewer)
    const { store, account } = this.dependencies
    if (account.isOfEnvironment) return ofEnvironment
    const parsed = parseInput(mailServerInput, input)
    if (!parsed.done) return parsed
    const { password, user, ...server } = parsed.value
    return await store.transaction(async (transaction) => {
      const last = await storedMailServer(transaction)
      const next: StoredMailServer = { ...server, ...(user !== '' && { user }) }
      // a password goes to no other server than the one it was entered for
      if (user !== '' && password === '' && last?.password !== undefined) {
        if (!isSameAccount(last, next)) return passwordAgain
        next.password = last.password
      }
      if (user !== '' && password !== '') next.password = account.seal(password)
      await saveMailServer(transaction, next)
      await transaction.announce(mailServerTopic)
      await recordAudit(
        transaction,
        {
          action: 'mail-server.change',
          subject: next.host,
          ...(last && { before: shown(last) }),
          after: { ...shown(next), ...(password !== '' && { password: 'changed' }) },
        },
        viewer,
        now,
      )
      return { done: true }
    })
  }

  async remove(viewer: Viewer): Promise<Outcome> {
    const now = await this.requireChange(viewer)
    const { store, account } = this.dependencies
    if (account.isOfEnvironment) return ofEnvironment
    return await store.transaction(async (transaction) => {
      const last = await storedMailServer(transaction)
      if (!last) return { done: true }
      await forgetMailServer(transaction)
      await transaction.announce(mailServerTopic)
      const auditRecord = { action: 'mail-server.remove', subject: last.host, before: shown(last) } as const
      await recordAudit(transaction, auditRecord, viewer, now)
      return { done: true }
    })
  }

  /** Sends an e-mail to the member who asks for it, and fails with the answer of the mail server. */
  async sendTest(viewer: Viewer): Promise<Outcome<{ address: string }>> {
    const { store, account } = this.dependencies
    await requireInstallationOwner(store, viewer)
    if (viewer.kind !== 'member')
      return failedOutcome('A test is sent to the member who asks for it. Sign in to the studio.')
    // another process may have changed it a moment ago
    const settings = account.isOfEnvironment
      ? account.settings()
      : account.unseal(await storedMailServer(store))
    if (!settings) return failedOutcome(mailNotSetUp)
    const sent = await tryMailServer(settings, { to: viewer.email, ...testWords })
    return sent.posted ? { done: true, address: viewer.email } : failedOutcome(sent.why)
  }

  private async requireChange(viewer: Viewer): Promise<Date> {
    const { store, world } = this.dependencies
    await requireInstallationOwner(store, viewer)
    const now = world.now()
    requireRecentPassword(viewer, now)
    return now
  }
}

const testWords = {
  subject: 'Test of your Tilth mail server',
  text: 'This e-mail was sent from Settings → E-mail. The mail server works.\n',
  html: '<p>This e-mail was sent from Settings → E-mail. The mail server works.</p>',
}

const isSameAccount = (one: StoredMailServer, other: StoredMailServer): boolean =>
  one.host === other.host && one.port === other.port && one.user === other.user

const shown = ({
  host,
  port,
  isSecure,
  user,
  password,
  from,
}: MailSettings | StoredMailServer): ShownMailServer => ({
  host,
  port,
  isSecure,
  user,
  from,
  hasPassword: password !== undefined,
})
