import { z } from 'zod'
import type { MailSettings } from '#outbound/mailer'
import { LiveCopy } from '#store/live-copy'
import type { Store, TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { SecretBox } from './second-factors'

const open = openTables<{ mailServer: { scope: string; settings: unknown } }>({ json: ['settings'] })

const scope = 'installation'
const sealPurpose = 'password of the mail server'
/** The change feed's topic of the mail server. */
export const mailServerTopic = 'mail-server'

const storedSettings = z.object({
  host: z.string(),
  port: z.number(),
  isSecure: z.boolean(),
  user: z.string().optional(),
  /** Encrypted. */
  password: z.string().optional(),
  from: z.string(),
})

export type StoredMailServer = z.infer<typeof storedSettings>

/** The mail server of the environment, which wins over the one in the store. */
export interface EnvironmentMail {
  canMail: boolean
  /** Absent in tests that send nothing. */
  settings: MailSettings | undefined
}

export interface MailAccountDependencies {
  store: Store
  seal: Pick<SecretBox, 'close' | 'open'>
  environment: EnvironmentMail
  onTrouble?: ((problem: unknown) => void) | undefined
}

/** The mail server that this process sends through at the moment. */
export class MailAccount {
  private readonly copy: LiveCopy<MailSettings | undefined>

  constructor(private readonly dependencies: MailAccountDependencies) {
    const { store, onTrouble } = dependencies
    this.copy = new LiveCopy<MailSettings | undefined>({
      store,
      topics: [mailServerTopic],
      initial: undefined,
      read: async () => this.unseal(await storedMailServer(store)),
      ...(onTrouble && { onTrouble }),
    })
  }

  readonly canMail = (): boolean => this.dependencies.environment.canMail || this.settings() !== undefined

  readonly settings = (): MailSettings | undefined =>
    this.dependencies.environment.settings ?? this.copy.value

  get isOfEnvironment(): boolean {
    const { canMail, settings } = this.dependencies.environment
    return canMail || settings !== undefined
  }

  seal(password: string): string {
    return this.dependencies.seal.close(password, sealPurpose)
  }

  /** Undefined for a password that another key encrypted. */
  unseal(stored: StoredMailServer | undefined): MailSettings | undefined {
    if (!stored) return undefined
    const { password: sealed, user, ...server } = stored
    const password = sealed === undefined ? undefined : this.dependencies.seal.open(sealed, sealPurpose)
    if (sealed !== undefined && password === undefined) return undefined
    return { ...server, user, password }
  }

  async load(): Promise<void> {
    await this.copy.reload()
  }

  async caughtUp(): Promise<void> {
    await this.copy.caughtUp()
  }

  get staleMs(): number {
    return this.copy.staleMs
  }

  async close(): Promise<void> {
    await this.copy.close()
  }
}

export async function storedMailServer(source: TableSource): Promise<StoredMailServer | undefined> {
  const row = await open(source)
    .selectFrom('mailServer')
    .selectAll()
    .where('scope', '=', scope)
    .executeTakeFirst()
  return storedSettings.safeParse(row?.settings).data
}

export async function saveMailServer(source: TableSource, settings: StoredMailServer): Promise<void> {
  await open(source)
    .insertInto('mailServer')
    .values({ scope, settings })
    .onConflict((conflict) => conflict.column('scope').doUpdateSet({ settings }))
    .execute()
}

export async function forgetMailServer(source: TableSource): Promise<void> {
  await open(source).deleteFrom('mailServer').where('scope', '=', scope).execute()
}
