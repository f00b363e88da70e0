import { z } from 'zod'
import type { Store, StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import { type Origin, operator, type Viewer } from './access'
import { record } from './audit'
import { giveDemos, isDemo } from './demo-project'
import { join, type Member, newMember, prepareMember } from './members'
import { type Outcome, parse, undone } from './problems'
import { type Project, projectName, timeZone } from './project'
import type { Keys } from './keys'
import type { Projects } from './projects'
import { fingerprint, newId, newSetupCode, plainSetupCode } from './secrets'
import { asViewer } from './sign-in'
import { allProjects, forgetSetupCodes, hasMembers, isSetupCode, replaceSetupCode } from './store'
import { inWords, Throttle } from './throttle'

const codeLastsMs = 60 * 60_000

const firstOwner = newMember.extend({
  code: z.string({ error: 'Type the set-up code.' }),
  project: projectName,
  timeZone: timeZone.default('UTC'),
})
type FirstOwner = z.infer<typeof firstOwner>

/** What a first start can be told by its environment, so that nobody has to be there. */
export interface Provision {
  owner?: { email: string; password: string }
  project?: string
  writeKey?: string
  secretKey?: string
}

/** From an empty installation to one that somebody owns. */
export class Setup {
  private readonly throttle: Throttle

  constructor(
    private readonly ground: { store: Store; world: World },
    private readonly projects: Projects,
    private readonly keys: Keys,
  ) {
    this.throttle = new Throttle(ground)
  }

  async isNeeded(): Promise<boolean> {
    return !(await hasMembers(this.ground.store))
  }

  /** For the terminal alone: whoever can read it owns the machine. A new code replaces the one before. */
  async newCode(): Promise<string> {
    const code = newSetupCode(this.ground.world)
    const endsAt = new Date(this.ground.world.now().getTime() + codeLastsMs)
    await replaceSetupCode(this.ground.store, fingerprint(plainSetupCode(code)), endsAt)
    return code
  }

  async complete(input: unknown, origin: Origin): Promise<Outcome<{ member: Member; project: Project }>> {
    if (!(await this.isNeeded())) return undone('Tilth has been set up already. Sign in instead.')
    const parsed = parse(firstOwner, input)
    if (!parsed.done) return parsed
    const refusal = await this.refuseCode(parsed.value.code, origin)
    return (
      refusal ??
      (await this.found(
        parsed.value,
        { name: parsed.value.project, timeZone: parsed.value.timeZone },
        origin,
      ))
    )
  }

  /** Does what the environment says and is not done yet; safe to run at every start. */
  async provision({ owner, project, writeKey, secretKey }: Provision, origin: Origin): Promise<Outcome> {
    const wanted = { name: project ?? 'My project', timeZone: 'UTC', writeKey }
    if (owner && (await this.isNeeded())) {
      const name = owner.email.split('@')[0] ?? 'Owner'
      const parsed = parse(newMember, { ...owner, name })
      const founded = parsed.done ? await this.found(parsed.value, wanted, origin) : parsed
      if (!founded.done) return founded
    }
    if (!project && !writeKey && !secretKey) return { done: true }
    return await this.provideProject(wanted, secretKey)
  }

  private async refuseCode(code: string, origin: Origin): Promise<Outcome<never> | undefined> {
    const attempt = { account: 'setup', address: origin.address }
    const seconds = await this.throttle.waitSeconds(attempt)
    if (seconds > 0) return undone(`Too many wrong codes. Wait ${inWords(seconds)} and try again.`, 'code')
    const hash = fingerprint(plainSetupCode(code))
    if (await isSetupCode(this.ground.store, hash, this.ground.world.now())) return undefined
    await this.ground.store.transaction((transaction) => this.throttle.failed(attempt, transaction))
    return undone(
      'This is not the code. It stands in the terminal where Tilth was started; after an hour, start Tilth again for a new one.',
      'code',
    )
  }

  /** The first owner and the first project, together or not at all. */
  private async found(
    given: Pick<FirstOwner, 'email' | 'name' | 'password'>,
    wanted: { name: string; timeZone: string; writeKey?: string },
    origin: Origin,
  ): Promise<Outcome<{ member: Member; project: Project }>> {
    const now = this.ground.world.now()
    const id = newId(this.ground.world)
    const prepared = await prepareMember(given, { id, at: now, projectName: wanted.name })
    if (!prepared.done) return prepared
    return await this.projects.changing(async (transaction) => {
      if (await hasMembers(transaction)) return undone('Tilth has been set up already. Sign in instead.')
      const project = await this.firstProject(transaction, wanted, operator('set-up'))
      await join(transaction, prepared, { projectId: project.id, role: 'owner', at: now })
      await forgetSetupCodes(transaction)
      await transaction.announce('members')
      const deed = {
        action: 'member.join',
        subject: prepared.member.email,
        projectId: project.id,
        after: { role: 'owner' },
      } as const
      const viewer = asViewer(prepared.member, origin, now)
      await record(transaction, deed, viewer, now)
      await giveDemos(transaction, prepared.member, viewer, now)
      return { done: true, member: prepared.member, project }
    })
  }

  private async provideProject(
    wanted: { name: string; timeZone: string; writeKey?: string },
    secretKey?: string,
  ): Promise<Outcome> {
    const provided = await this.projects.changing(async (transaction) => ({
      done: true,
      project: await this.firstProject(transaction, wanted, operator('environment')),
    }))
    if (!provided.done) return provided
    if (secretKey) await this.keys.adopt(provided.project.id, secretKey, operator('environment'))
    return { done: true }
  }

  /** A project made by an earlier start without an owner is taken over rather than doubled. */
  private async firstProject(
    transaction: StoreTransaction,
    wanted: { name: string; timeZone: string; writeKey?: string },
    viewer: Viewer,
  ): Promise<Project> {
    const all = (await allProjects(transaction)).filter((project) => !isDemo(project))
    const existing = all.find(({ archivedAt }) => !archivedAt) ?? all[0]
    if (existing) return existing
    const added = await this.projects.add(transaction, wanted, viewer)
    if (!added.done) throw new Error('The first project cannot collide with another one.')
    return added.project
  }
}
