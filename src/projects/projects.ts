import type { ZodType } from 'zod'
import { isTaken, type Store, type StoreTransaction } from '../store/store'
import type { World } from '../world/world'
import { may, Refused, requireRecentPassword, requireRight, type Viewer } from './access'
import { record } from './audit'
import { Directory } from './directory'
import { type Outcome, parse, undone } from './problems'
import { newProject, type Project, projectChanges } from './project'
import { newWriteKey } from './secrets'
import { freeSlug, slugFrom } from './slug'
import { addProject, allProjects, saveProject, setRole } from './store'

interface Ground {
  store: Store
  world: World
  /** What the room that takes events in understands of a project's `intake`. */
  intake: ZodType<Record<string, unknown>>
  /** What the room that answers questions understands of a project's `answers`. */
  answers: ZodType<Record<string, unknown>>
  /** By which other keys events come in: none of them may be a project's name. */
  otherKeys?: (transaction: StoreTransaction) => Promise<ReadonlySet<string>>
}

/** Every project in memory: few, asked for on each request, and must be there when the store is not. */
export class Projects {
  private directory = new Directory([])
  private reading: Promise<void> = Promise.resolve()

  private readonly changes: ReturnType<typeof changesOf>

  private constructor(private readonly ground: Ground) {
    this.changes = changesOf(ground)
  }

  static async open(ground: Ground): Promise<Projects> {
    const projects = new Projects(ground)
    ground.store.onChange((topic) => {
      // a failed read leaves what was known; the next word of change, or a restart, brings the rest
      if (topic === 'projects') void projects.read().catch(() => {})
    })
    await projects.read()
    return projects
  }

  /** What this viewer may see, archived ones last. */
  list(viewer: Viewer): Project[] {
    const mine = this.directory.all.filter(({ id }) => may('project:read', id, viewer))
    return mine.toSorted((a, b) => Number(Boolean(a.archivedAt)) - Number(Boolean(b.archivedAt)))
  }

  /** By address part or number. A project one may not see and one that is not there are told apart by nobody. */
  find(name: string, viewer: Viewer): Project {
    const project = this.directory.all.find(({ id, slug }) => slug === name || String(id) === name)
    if (!project) throw new Refused('not-found', 'There is no such project.')
    requireRight('project:read', project.id, viewer)
    return project
  }

  /** Whose write key this is, or whose other name: asked for every event, answered from memory. */
  named(name: string): Project | undefined {
    return this.directory.named(name)
  }

  /** Whose pages are at this host. While there is but one project, every page is its own. */
  at(host: string): Project | undefined {
    return this.directory.at(host)
  }

  /** Whether a project says itself that its pages are at this host. */
  isClaimed(host: string): boolean {
    return this.directory.isClaimed(host)
  }

  /** For rooms that carry a project's number around; whoever asks on somebody's behalf uses `find`. */
  numbered(id: number): Project | undefined {
    return this.directory.numbered(id)
  }

  /** Somebody who owns a project may open another; nobody else decides what runs on this machine. */
  mayCreate(viewer: Viewer): boolean {
    if (viewer.kind === 'operator') return true
    return viewer.kind === 'member' && [...viewer.roles.values()].includes('owner')
  }

  async create(input: unknown, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    if (!this.mayCreate(viewer)) {
      throw new Refused('not-allowed', 'Only somebody who owns a project may create another one.')
    }
    const parsed = parse(newProject, input)
    if (!parsed.done) return parsed
    const { name, slug, timeZone } = parsed.value
    return await this.changing((transaction) => this.add(transaction, { name, slug, timeZone }, viewer))
  }

  async change(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('project:write', projectId, viewer)
    const parsed = parse(this.changes, input)
    if (!parsed.done) return parsed
    return await this.save(projectId, parsed.value, 'project.change', viewer)
  }

  async renewWriteKey(projectId: number, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('keys:write', projectId, viewer)
    requireRecentPassword(viewer, this.ground.world.now())
    return await this.save(projectId, { writeKey: newWriteKey(this.ground.world) }, 'write-key.renew', viewer)
  }

  /** Out of sight and closed to events; nothing is deleted, and it can be brought back. */
  async archive(projectId: number, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('project:archive', projectId, viewer)
    requireRecentPassword(viewer, this.ground.world.now())
    return await this.save(projectId, { archivedAt: this.ground.world.now() }, 'project.archive', viewer)
  }

  async restore(projectId: number, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('project:archive', projectId, viewer)
    return await this.save(projectId, { archivedAt: undefined }, 'project.restore', viewer)
  }

  /** Within a transaction of the caller's: set-up makes the first project and its owner at once. */
  async add(
    transaction: StoreTransaction,
    wanted: {
      name: string
      slug?: string
      timeZone: string
      writeKey?: string
      aliases?: readonly string[]
    },
    viewer: Viewer,
  ): Promise<Outcome<{ project: Project }>> {
    const taken = new Set((await allProjects(transaction)).map(({ slug }) => slug))
    if (wanted.slug !== undefined && taken.has(wanted.slug)) return slugTaken
    const now = this.ground.world.now()
    const project = await addProject(transaction, {
      slug: wanted.slug ?? freeSlug(slugFrom(wanted.name), taken),
      name: wanted.name,
      timeZone: wanted.timeZone,
      writeKey: wanted.writeKey ?? newWriteKey(this.ground.world),
      hosts: [],
      aliases: wanted.aliases ?? [],
      intake: {},
      answers: {},
      createdAt: now,
      archivedAt: undefined,
    })
    if (viewer.kind === 'member') await setRole(transaction, project.id, viewer.memberId, 'owner', now)
    await transaction.announce('projects')
    const deed = {
      action: 'project.create',
      subject: project.name,
      projectId: project.id,
      after: shown(project),
    } as const
    await record(transaction, deed, viewer, now)
    return { done: true, project }
  }

  /** Runs a change and does not answer before this process knows of it: who creates a project is sent to its page next. */
  async changing<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    try {
      const outcome = await this.ground.store.transaction(work)
      await this.read()
      return outcome
    } catch (problem) {
      if (isTaken(problem)) return slugTaken
      throw problem
    }
  }

  private async save(
    projectId: number,
    changes: Partial<Project>,
    action: 'project.change' | 'project.archive' | 'project.restore' | 'write-key.renew',
    viewer: Viewer,
  ): Promise<Outcome<{ project: Project }>> {
    return await this.changing(async (transaction) => {
      const before = (await allProjects(transaction)).find(({ id }) => id === projectId)
      if (!before) throw new Refused('not-found', 'There is no such project.')
      const project = { ...before, ...definedOnly(changes) }
      if (await this.isKnownElsewhere(project, transaction)) return aliasTaken
      await saveProject(transaction, project)
      await transaction.announce('projects')
      const deed = { action, subject: project.name, projectId, before: shown(before), after: shown(project) }
      await record(transaction, deed, viewer, this.ground.world.now())
      return { done: true, project }
    })
  }

  /** Events sent under a name that two projects claim could not be told apart. */
  private async isKnownElsewhere({ id, aliases }: Project, transaction: StoreTransaction): Promise<boolean> {
    const others = (await allProjects(transaction)).filter((other) => other.id !== id)
    const keys = await this.ground.otherKeys?.(transaction)
    const names = new Set(others.flatMap((other) => [other.writeKey, ...other.aliases]))
    return aliases.some((alias) => names.has(alias) || keys?.has(alias))
  }

  /** One after the other: an answer that was long on its way must not undo a newer one. */
  private read(): Promise<void> {
    this.reading = this.reading.catch(() => {}).then(() => this.readNow())
    return this.reading
  }

  private async readNow(): Promise<void> {
    this.directory = new Directory(await allProjects(this.ground.store))
  }
}

const aliasTaken = undone(
  'Another project or an environment is already known by one of these names. Take it from there first.',
  'aliases',
)

const slugTaken = undone('Another project already has this address part. Choose another.', 'slug')

/** `archivedAt: undefined` means "bring it back"; any other field left out means "as it is". */
const definedOnly = (changes: Partial<Project>): Partial<Project> =>
  Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => value !== undefined || field === 'archivedAt'),
  )

const shown = ({ id: _id, createdAt: _createdAt, ...project }: Project) => project

/** What may be changed of a project, with what other rooms understand of it. */
const changesOf = ({ intake, answers }: Ground) =>
  projectChanges.extend({ intake: intake.optional(), answers: answers.optional() })
