import { z } from 'zod'
import type { Store, StoreTransaction, TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { World } from '#world/world'
import { type RequestOrigin, operator, type Viewer } from '../access'
import { recordAudit } from '../audit'
import { addToDemos, isDemo } from '../demo-project'
import { addToProject, type Member, newMember, prepareMember } from '../members'
import { type Outcome, parseInput, failedOutcome } from '../problems'
import { type Project, projectName, siteAddress, timeZone } from '../project'
import type { Keys } from '../keys'
import type { Projects } from '../projects'
import { hashToken, newId, newSetupCode, normalizeSetupCode } from '../secrets'
import { signingInViewer } from '../sign-in'
import { allProjects, saveProject } from '../store'
import { hasMembers } from './stored-members'
import { waitInWords, GuessThrottle } from '../throttle'

const open = openTables<{ setupCodes: { hash: string; endsAt: Date } }>()

const codeLastsMs = 60 * 60_000

const setUpAlready = failedOutcome('Tilth has been set up already. Sign in instead.')

const firstOwner = newMember.extend({
  code: z.string({ error: 'Type the set-up code.' }),
  project: projectName,
  timeZone: timeZone.default('UTC'),
  siteAddress: siteAddress.default(''),
})
type FirstOwnerInput = z.infer<typeof firstOwner>

interface FirstProjectInput {
  name: string
  timeZone: string
  siteAddress?: string
  writeKey?: string
}

/** Set-up from environment variables, for installations without a person at the first start. */
export interface SetupProvision {
  owner?: { email: string; password: string }
  project?: string
  writeKey?: string
  secretKey?: string
}

/** Sets up a new installation with its first owner. */
export class Setup {
  private readonly throttle: GuessThrottle

  constructor(
    private readonly dependencies: { store: Store; world: World },
    private readonly projects: Projects,
    private readonly keys: Keys,
  ) {
    this.throttle = new GuessThrottle(dependencies)
  }

  async isNeeded(): Promise<boolean> {
    return !(await hasMembers(this.dependencies.store))
  }

  /**
   * Creates a set-up code to print in the terminal: a person who can read it controls the machine. Several fronts may
   * start on one store, so each code is valid for its hour; using one ends all of them.
   */
  async newCode(): Promise<string> {
    const { store, world } = this.dependencies
    const code = newSetupCode(world)
    const now = world.now()
    const times = { now, endsAt: new Date(now.getTime() + codeLastsMs) }
    await addSetupCode(store, hashToken(normalizeSetupCode(code)), times)
    return code
  }

  async complete(
    input: unknown,
    origin: RequestOrigin,
  ): Promise<Outcome<{ member: Member; project: Project }>> {
    if (!(await this.isNeeded())) return setUpAlready
    const parsed = parseInput(firstOwner, input)
    if (!parsed.done) return parsed
    const { code, project: name, timeZone: zone, siteAddress: address } = parsed.value
    const refusal = await this.refuseCode(code, origin)
    // the codes end with the set-up, which another person may have completed meanwhile
    if (refusal) return (await this.isNeeded()) ? refusal : setUpAlready
    return await this.createOwner(parsed.value, { name, timeZone: zone, siteAddress: address }, origin)
  }

  /** Applies the settings of the environment that are not applied yet. Safe to run at every start. */
  async provision(
    { owner, project, writeKey, secretKey }: SetupProvision,
    origin: RequestOrigin,
  ): Promise<Outcome> {
    const projectInput = { name: project ?? 'My project', timeZone: 'UTC', writeKey }
    if (owner && (await this.isNeeded())) {
      const name = owner.email.split('@')[0] ?? 'Owner'
      const parsed = parseInput(newMember, { ...owner, name })
      const created = parsed.done ? await this.createOwner(parsed.value, projectInput, origin) : parsed
      // another front that started at the same moment may have been first
      if (!created.done && (await this.isNeeded())) return created
    }
    if (!project && !writeKey && !secretKey) return { done: true }
    return await this.provideProject(projectInput, secretKey)
  }

  private async refuseCode(code: string, origin: RequestOrigin): Promise<Outcome<never> | undefined> {
    const attempt = { account: 'setup', network: origin.address }
    const admission = await this.throttle.admit(attempt)
    if (!admission.admitted)
      return failedOutcome(
        `Too many wrong codes. Wait ${waitInWords(admission.seconds)} and try again.`,
        'code',
      )
    const hash = hashToken(normalizeSetupCode(code))
    if (await isSetupCode(this.dependencies.store, hash, this.dependencies.world.now())) {
      await this.throttle.succeeded(attempt, admission)
      return undefined
    }
    return failedOutcome(
      'This is not the code. It stands in the terminal where Tilth was started; after an hour, start Tilth again for a new one.',
      'code',
    )
  }

  /** Creates the first owner and the first project in one transaction. */
  private async createOwner(
    ownerInput: Pick<FirstOwnerInput, 'email' | 'name' | 'password'>,
    projectInput: FirstProjectInput,
    origin: RequestOrigin,
  ): Promise<Outcome<{ member: Member; project: Project }>> {
    const now = this.dependencies.world.now()
    const id = newId(this.dependencies.world)
    const prepared = await prepareMember(ownerInput, { id, at: now, projectName: projectInput.name })
    if (!prepared.done) return prepared
    return await this.projects.changing(async (transaction) => {
      if (await hasMembers(transaction)) return setUpAlready
      const project = await this.firstProject(transaction, projectInput, operator('set-up'))
      await addToProject(transaction, prepared, { projectId: project.id, role: 'owner', at: now })
      await removeSetupCodes(transaction)
      await transaction.announce('members')
      const auditRecord = {
        action: 'member.join',
        subject: prepared.member.email,
        projectId: project.id,
        after: { role: 'owner' },
      } as const
      const viewer = signingInViewer(prepared.member, origin, now)
      await recordAudit(transaction, auditRecord, viewer, now)
      await addToDemos(transaction, prepared.member, viewer, now)
      return { done: true, member: prepared.member, project }
    })
  }

  private async provideProject(projectInput: FirstProjectInput, secretKey?: string): Promise<Outcome> {
    const provided = await this.projects.changing(async (transaction) => ({
      done: true,
      project: await this.firstProject(transaction, projectInput, operator('environment')),
    }))
    if (!provided.done) return provided
    if (secretKey) await this.keys.adopt(provided.project.id, secretKey, operator('environment'))
    return { done: true }
  }

  /** Reuses the project of an earlier start without an owner. */
  private async firstProject(
    transaction: StoreTransaction,
    projectInput: FirstProjectInput,
    viewer: Viewer,
  ): Promise<Project> {
    const all = (await allProjects(transaction)).filter((project) => !isDemo(project))
    const existing = all.find(({ archivedAt }) => !archivedAt) ?? all[0]
    if (existing) return await this.withSiteAddress(transaction, existing, projectInput.siteAddress, viewer)
    const added = await this.projects.add(transaction, projectInput, viewer)
    if (!added.done) throw new Error('The first project cannot collide with another one.')
    return added.project
  }

  private async withSiteAddress(
    transaction: StoreTransaction,
    before: Project,
    address: string | undefined,
    viewer: Viewer,
  ): Promise<Project> {
    if (!address) return before
    const project = { ...before, siteAddress: address }
    await saveProject(transaction, project)
    await transaction.announce('projects')
    const auditRecord = {
      action: 'project.change',
      subject: project.name,
      projectId: project.id,
      before: { siteAddress: before.siteAddress },
      after: { siteAddress: address },
    } as const
    await recordAudit(transaction, auditRecord, viewer, this.dependencies.world.now())
    return project
  }
}

/** Adds a code. Codes of other starts stay valid until they expire. */
async function addSetupCode(
  source: TableSource,
  hash: string,
  { now, endsAt }: { now: Date; endsAt: Date },
): Promise<void> {
  await open(source).deleteFrom('setupCodes').where('endsAt', '<=', now).execute()
  await open(source).insertInto('setupCodes').values({ hash, endsAt }).execute()
}

async function isSetupCode(source: TableSource, hash: string, now: Date): Promise<boolean> {
  const row = await open(source)
    .selectFrom('setupCodes')
    .select('hash')
    .where('hash', '=', hash)
    .where('endsAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

async function removeSetupCodes(source: TableSource): Promise<void> {
  await open(source).deleteFrom('setupCodes').execute()
}
