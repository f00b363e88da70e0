import type { ZodType } from 'zod'
import { LiveCopy } from '#store/live-copy'
import { isUniqueViolation, type Store, type StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { may, AccessRefusedError, requireRecentPassword, requireRight, type Viewer } from './access'
import { recordAudit } from './audit'
import { ProjectDirectory } from './directory'
import { type Outcome, type ParsedInput, parseInput, failedOutcome } from './problems'
import { newProject, type Project, projectChanges } from './project'
import { newWriteKey } from './secrets'
import { freeSlug, slugFrom } from './slug'
import { addProject, allProjects, saveProject } from './store'
import { setRole } from './internal/stored-members'

interface Dependencies {
  store: Store
  world: World
  /** Schema of a project's `intake`, from `ingest`. */
  intake: ZodType<Record<string, unknown>>
  /** Schema of a project's `answers`, from `insights`. */
  answers: ZodType<Record<string, unknown>>
  /** Other keys with which events arrive: no project may use them as a name. */
  otherKeys?: ((transaction: StoreTransaction) => Promise<ReadonlySet<string>>) | undefined
  /** The origin below which each project’s site has a preview address. */
  previews?: string | undefined
  onTrouble?: ((problem: unknown) => void) | undefined
}

/** Fields of a project, and some of its settings. */
export type ProjectSettingsChange = Record<string, unknown> & { intake?: object; answers?: object }

/** Keeps every project in memory: there are few, each request needs one, and the store may be down. */
export class Projects {
  private readonly copy: LiveCopy<ProjectDirectory>
  private readonly changes: ReturnType<typeof changeSchema>

  constructor(private readonly dependencies: Dependencies) {
    const { store, previews, onTrouble } = dependencies
    this.changes = changeSchema(dependencies)
    this.copy = new LiveCopy({
      store,
      topics: ['projects'],
      initial: new ProjectDirectory([]),
      read: async () => new ProjectDirectory(await allProjects(store), previews),
      onTrouble,
    })
  }

  /** Opens this class or a class that extends it. */
  static async open<Opened extends Projects, Given extends Dependencies>(
    this: new (dependencies: Given) => Opened,
    dependencies: Given,
  ): Promise<Opened> {
    const projects = new this(dependencies)
    await projects.copy.reload()
    return projects
  }

  /** Resolves once every change announced until now is read, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.copy.caughtUp()
  }

  get staleMs(): number {
    return this.copy.staleMs
  }

  async close(): Promise<void> {
    await this.copy.close()
  }

  /** Returns the projects that the viewer may see, archived ones last. */
  list(viewer: Viewer): Project[] {
    const mine = this.copy.value.all.filter(({ id }) => may('project:read', id, viewer))
    return mine.toSorted((a, b) => Number(Boolean(a.archivedAt)) - Number(Boolean(b.archivedAt)))
  }

  /**
   * Finds a project by slug or id. The refusal is the same for a project that does not exist and one the viewer does
   * not belong to.
   */
  find(name: string, viewer: Viewer): Project {
    const project = this.copy.value.all.find(({ id, slug }) => slug === name || String(id) === name)
    if (!project) throw new AccessRefusedError('not-found', 'There is no such project.')
    requireRight('project:read', project.id, viewer)
    return project
  }

  /** Finds a project by write key or alias, in memory. Called for every event. */
  named(name: string): Project | undefined {
    return this.copy.value.named(name)
  }

  /** Finds the project of a host. A single project owns every host. */
  at(host: string): Project | undefined {
    return this.copy.value.at(host)
  }

  /** Whether this host belongs to one project. */
  isClaimed(host: string): boolean {
    return this.copy.value.isClaimed(host)
  }

  /** Finds a project by id without a check of rights. Callers that act for a viewer use `find`. */
  numbered(id: number): Project | undefined {
    return this.copy.value.numbered(id)
  }

  /** Whether the viewer may create projects: owners of a project may, since a project uses the machine's resources. */
  mayCreate(viewer: Viewer): boolean {
    if (viewer.kind === 'operator') return true
    return viewer.kind === 'member' && [...viewer.roles.values()].includes('owner')
  }

  async create(input: unknown, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    if (!this.mayCreate(viewer)) {
      throw new AccessRefusedError('not-allowed', 'Only project owners can create projects.')
    }
    const parsed = parseInput(newProject, input)
    if (!parsed.done) return parsed
    return await this.changing((transaction) => this.add(transaction, parsed.value, viewer))
  }

  async change(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('project:write', projectId, viewer)
    const parsed = parseInput(this.changes, input)
    if (!parsed.done) return parsed
    return await this.save(projectId, () => parsed, 'project.change', viewer)
  }

  /**
   * Changes some settings of a project; all others stay as they are stored, also those that another request changes at
   * the same time. An undefined setting is removed.
   */
  async changeSettings(
    projectId: number,
    { intake, answers, ...input }: ProjectSettingsChange,
    viewer: Viewer,
  ): Promise<Outcome<{ project: Project }>> {
    requireRight('project:write', projectId, viewer)
    const settingsAfter = (before: Project) => ({
      ...input,
      ...(intake && { intake: { ...before.intake, ...intake } }),
      ...(answers && { answers: { ...before.answers, ...answers } }),
    })
    return await this.save(
      projectId,
      (before) => parseInput(this.changes, settingsAfter(before)),
      'project.change',
      viewer,
    )
  }

  async renewWriteKey(projectId: number, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('keys:write', projectId, viewer)
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.save(
      projectId,
      () => ({ done: true, value: { writeKey: newWriteKey(this.dependencies.world) } }),
      'write-key.renew',
      viewer,
    )
  }

  /** Hides the project and closes it to events; nothing is deleted, and it can be restored. */
  async archive(projectId: number, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('project:archive', projectId, viewer)
    requireRecentPassword(viewer, this.dependencies.world.now())
    return await this.save(
      projectId,
      () => ({ done: true, value: { archivedAt: this.dependencies.world.now() } }),
      'project.archive',
      viewer,
    )
  }

  async restore(projectId: number, viewer: Viewer): Promise<Outcome<{ project: Project }>> {
    requireRight('project:archive', projectId, viewer)
    return await this.save(
      projectId,
      () => ({ done: true, value: { archivedAt: undefined } }),
      'project.restore',
      viewer,
    )
  }

  /** Runs in the caller's transaction: set-up creates the first project and its owner together. */
  async add(
    transaction: StoreTransaction,
    projectInput: {
      name: string
      slug?: string
      timeZone: string
      siteAddress?: string
      writeKey?: string
      aliases?: readonly string[]
    },
    viewer: Viewer,
  ): Promise<Outcome<{ project: Project }>> {
    const takenSlugs = new Set((await allProjects(transaction)).map(({ slug }) => slug))
    if (projectInput.slug !== undefined && takenSlugs.has(projectInput.slug)) return slugTakenProblem
    const now = this.dependencies.world.now()
    const project = await addProject(transaction, {
      slug: projectInput.slug ?? freeSlug(slugFrom(projectInput.name), takenSlugs),
      name: projectInput.name,
      timeZone: projectInput.timeZone,
      writeKey: projectInput.writeKey ?? newWriteKey(this.dependencies.world),
      hosts: [],
      siteAddress: projectInput.siteAddress ?? '',
      aliases: projectInput.aliases ?? [],
      intake: {},
      answers: {},
      createdAt: now,
      archivedAt: undefined,
    })
    if (viewer.kind === 'member') await setRole(transaction, project.id, viewer.memberId, 'owner', now)
    await transaction.announce('projects')
    const auditRecord = {
      action: 'project.create',
      subject: project.name,
      projectId: project.id,
      after: auditShape(project),
    } as const
    await recordAudit(transaction, auditRecord, viewer, now)
    return { done: true, project }
  }

  /** Resolves once this process has loaded the change, because the creator is redirected to the project's page next. */
  async changing<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    try {
      const outcome = await this.dependencies.store.transaction(work)
      await this.copy.reload()
      return outcome
    } catch (problem) {
      if (isUniqueViolation(problem)) return slugTakenProblem
      throw problem
    }
  }

  private async save(
    projectId: number,
    changesOf: (before: Project) => ParsedInput<Partial<Project>>,
    action: 'project.change' | 'project.archive' | 'project.restore' | 'write-key.renew',
    viewer: Viewer,
  ): Promise<Outcome<{ project: Project }>> {
    return await this.changing(async (transaction) => {
      const before = (await allProjects(transaction)).find(({ id }) => id === projectId)
      if (!before) throw new AccessRefusedError('not-found', 'There is no such project.')
      const changes = changesOf(before)
      if (!changes.done) return changes
      const project = { ...before, ...withoutUndefined(changes.value) }
      if (await this.aliasConflicts(project, transaction)) return aliasTakenProblem
      await saveProject(transaction, project)
      await transaction.announce('projects')
      const auditRecord = {
        action,
        subject: project.name,
        projectId,
        before: auditShape(before),
        after: auditShape(project),
      }
      await recordAudit(transaction, auditRecord, viewer, this.dependencies.world.now())
      return { done: true, project }
    })
  }

  /** Two projects must not share an alias, since events sent under it could belong to either. */
  private async aliasConflicts({ id, aliases }: Project, transaction: StoreTransaction): Promise<boolean> {
    const others = (await allProjects(transaction)).filter((other) => other.id !== id)
    const keys = await this.dependencies.otherKeys?.(transaction)
    const names = new Set(others.flatMap((other) => [other.writeKey, ...other.aliases]))
    return aliases.some((alias) => names.has(alias) || keys?.has(alias))
  }
}

const aliasTakenProblem = failedOutcome(
  'Another project or environment already has one of these aliases. Remove it there first.',
  'aliases',
)

const slugTakenProblem = failedOutcome('Another project already has this URL slug. Choose another.', 'slug')

/** `archivedAt: undefined` restores a project; any other undefined field stays unchanged. */
const withoutUndefined = (changes: Partial<Project>): Partial<Project> =>
  Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => value !== undefined || field === 'archivedAt'),
  )

const auditShape = ({ id: _id, createdAt: _createdAt, ...project }: Project) => project

/** The editable fields of a project, with the schemas of other modules. */
const changeSchema = ({ intake, answers }: Dependencies) =>
  projectChanges.extend({ intake: intake.optional(), answers: answers.optional() })
