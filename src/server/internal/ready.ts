import type { BuiltFiles } from '#http/built-files'
import type { ClientPackages } from '#http/client-packages'
import type { HealthProbes } from '#http/health'
import type { KitChanges, KitFiles } from '#http/kit-files'
import type { LiveFeed } from '#http/live-feed'
import type { SiteHandler } from '#site-serving/site-request'
import type { StaticPages } from '#site-serving/static-pages'
import type { UncachedPages } from '#site-serving/uncached-pages'
import type { WireServices } from '#wire/dialect'
import type { Product } from '../product'
import type { CollectionServices } from './collecting'

/** The services that answer requests. Each is there from a step of the start on. */
interface FrontServices {
  disk: NonNullable<HealthProbes['disk']>
  engine: NonNullable<HealthProbes['engine']>
  product: Product
  /** Collects events for the product. */
  intake: CollectionServices['intake']
  /** Answers SDKs: the intake, or flags of a snapshot while Tilth waits for its store. */
  wire: WireServices
  /** The store while Tilth waits for it; there is none as soon as it answers. */
  awaitedStore: NonNullable<HealthProbes['store']>
  live: LiveFeed
  pages: UncachedPages & NonNullable<HealthProbes['pages']>
  builtFiles: BuiltFiles
  clientPackages: ClientPackages
  /** The files of the site folder that browsers load, if there is one. */
  kitFiles: KitFiles
  /** Tells of changes of the site folder, where a team is at work on it. */
  kitChanges: KitChanges
  /** The public site. Until it is there, the pages answer at its addresses. */
  site: SiteHandler
  /** Pages for sites on other servers. */
  staticPages: StaticPages
  /** Says that the front is about to close, while it still answers. */
  stopping: NonNullable<HealthProbes['stopping']>
}

export type ServiceName = keyof FrontServices

/** The services that run by now. All others are still starting. */
export type RunningServices = { readonly [Name in ServiceName]?: FrontServices[Name] | undefined }

/** The services that run by now, with those that a route needs. */
export type Ready<Needed extends ServiceName> = RunningServices & Pick<FrontServices, Needed>

export const areReady = <Needed extends ServiceName>(
  services: RunningServices,
  needed: readonly Needed[],
): services is Ready<Needed> => needed.every((name) => services[name] !== undefined)

/** The parts of readiness, as far as they run. */
export const probesOf = ({
  disk,
  engine,
  product,
  intake,
  awaitedStore,
  pages,
  stopping,
}: RunningServices): HealthProbes => ({
  disk,
  stopping,
  engine,
  pages,
  store: product ? { ping: () => product.ping(), staleMs: () => product.changes.staleMs() } : awaitedStore,
  collection: intake && (() => intake.state()),
  deliveries: product && (() => product.deliveryTroubles()),
})
