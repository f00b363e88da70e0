import { type Engine, EngineError } from '../engine/engine'
import { LatestEvents } from '../insights/latest'
import { intakeOfProject } from '../ingest/project-settings'
import { Audit } from '../projects/audit'
import { Invitations } from '../projects/invitations'
import { Keys } from '../projects/keys'
import { Members } from '../projects/members'
import { Projects } from '../projects/projects'
import { Sessions } from '../projects/sessions'
import { Setup } from '../projects/setup'
import { SignIn } from '../projects/sign-in'
import { openStore, type StoreSettings } from '../store/open'
import type { Store } from '../store/store'
import { realWorld, type World } from '../world/world'
import { type Intake, type IntakeSettings, openIntake } from './intake'

export interface ProductSettings {
  store: StoreSettings
  /** Absent where a command needs members and keys but no events. */
  engine?: Engine
  world?: World
  /** Where events are taken in: the front alone. */
  intake?: Pick<IntakeSettings, 'dataFolder' | 'isAlone' | 'room' | 'log' | 'onSighting'>
}

/**
 * Everything Tilth can do, built once in every process: the front's, the pages' and a command's are three products over
 * one store and one engine. Whoever asks passes the viewer along, and access is decided in here.
 */
export interface Product {
  /** Tells this process's product from another's, for tests and for people who look after several. */
  readonly instance: string
  readonly engine: Engine | undefined
  readonly events: LatestEvents
  readonly projects: Projects
  readonly members: Members
  readonly invitations: Invitations
  readonly keys: Keys
  readonly audit: Audit
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly setup: Setup
  /** In the front alone. */
  readonly intake: Intake | undefined
  /** Hears the topic of every change, whichever process made it, within a second. */
  onChange(listener: (topic: string) => void): () => void
  /** Throws when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A command opens the product for members and keys; questions about events are the running Tilth's to answer. */
const noEngine: Pick<Engine, 'query'> = {
  query: async () => {
    throw new EngineError('unavailable', 'Events can be asked about only while Tilth runs.')
  },
}

/** What the journal still holds then is stored at the next start. */
const drainMs = 3000

export async function openProduct({
  store: settings,
  engine,
  world = realWorld,
  intake,
}: ProductSettings): Promise<Product> {
  const store = await openStore(settings)
  return await assemble({ store, world }, engine, intake)
}

async function assemble(
  ground: { store: Store; world: World },
  engine: Engine | undefined,
  takesIn: ProductSettings['intake'],
): Promise<Product> {
  const projects = await Projects.open({ ...ground, intake: intakeOfProject })
  const keys = new Keys(ground)
  const intake = takesIn && engine ? await openIntake({ ...takesIn, ...ground, engine, projects }) : undefined
  return {
    instance: Buffer.from(ground.world.random(8)).toString('hex'),
    engine,
    events: new LatestEvents(engine ?? noEngine),
    projects,
    keys,
    members: new Members(ground),
    invitations: new Invitations(ground),
    audit: new Audit(ground),
    sessions: new Sessions(ground),
    signIn: new SignIn(ground),
    setup: new Setup(ground, projects, keys),
    intake,
    onChange: (listener) => ground.store.onChange(listener),
    ping: () => ground.store.ping(),
    close: async () => {
      await intake?.close(drainMs)
      await ground.store.close()
    },
  }
}
