import type {
  BaseHook,
  ClientProviderStatus,
  CommonProvider,
  EvaluationContext,
  EvaluationDetails,
  FlagValue,
  HookContext,
  ServerProviderStatus,
  TrackingEventDetails,
} from '@openfeature/core'
import { type BatchOptions, EventBatches } from './event-batches'

/** A provider of OpenFeature's web SDK or of its server SDK. */
type OpenFeatureProvider = CommonProvider<ClientProviderStatus | ServerProviderStatus> & {
  readonly hooks?: readonly BaseHook[]
}

export type { BatchOptions }

const aDayMs = 24 * 3_600_000
const mostRemembered = 20_000

/**
 * Makes an OFREP provider report to Tilth, and returns it: the exposure of each flag that code evaluates, and the events
 * of `client.track`. The provider sends what waits when OpenFeature closes it; `flush` does so at any time.
 */
export function withTilth<Provider extends OpenFeatureProvider>(
  provider: Provider,
  options: BatchOptions,
): Provider & { flush: () => Promise<void> } {
  const events = new EventBatches(options)
  const reported = new Set<string>()

  const hook = {
    /** Runs after evaluations that succeeded. */
    after({ flagKey, context }: HookContext, { flagMetadata }: EvaluationDetails<FlagValue>): void {
      const { exposure, flagId, version } = flagMetadata
      if (exposure === undefined || !isCounted(context)) return
      const today = Math.floor(Date.now() / aDayMs)
      const { targetingKey, deviceId, groups } = context
      if (!isNew(JSON.stringify([today, targetingKey, deviceId, groups, flagKey, exposure]), reported)) return
      events.add(
        eventOf('$feature_flag_called', context, {
          $feature_flag: flagKey,
          $feature_flag_response: exposure,
          $feature_flag_id: flagId,
          $feature_flag_version: version,
        }),
      )
    },
  }

  const tracksToo = provider.track?.bind(provider)
  const closesToo = provider.onClose?.bind(provider)
  return Object.assign(provider, {
    hooks: [...(provider.hooks ?? []), hook],
    track(name: string, context: EvaluationContext, details: TrackingEventDetails): void {
      tracksToo?.(name, context, details)
      if (isCounted(context)) events.add(eventOf(name, context, withRevenue(details)))
    },
    async onClose(): Promise<void> {
      await events.close()
      await closesToo?.()
    },
    flush: () => events.flush(),
  })
}

/** Tilth decides for a targeting key alone. Driven browsers are no visitors, unless they say that they play one. */
const isCounted = ({ targetingKey }: EvaluationContext): boolean =>
  !!targetingKey && !(isBrowser && navigator.webdriver && !('__tilth' in window))

const isBrowser = typeof document !== 'undefined'

/** The set keeps the newest keys. */
function isNew(key: string, reported: Set<string>): boolean {
  if (reported.has(key)) return false
  reported.add(key)
  const [oldest] = reported
  if (reported.size > mostRemembered && oldest !== undefined) reported.delete(oldest)
  return true
}

/** A value may be anything that is measured. Only one with a currency is money. */
const withRevenue = (details: TrackingEventDetails): object =>
  details['currency'] === undefined ? details : { ...details, $revenue: details.value }

/** The event in the format of `POST /batch/`. A repeated event without a uuid is recognised by its content. */
const eventOf = (name: string, context: EvaluationContext, properties: object): object => ({
  uuid: (crypto as Partial<Crypto>).randomUUID?.(), // pages on plain http have none
  event: name,
  distinct_id: context.targetingKey,
  timestamp: new Date(),
  properties: {
    ...properties,
    $lib: 'tilth-openfeature',
    $device_id: context['deviceId'],
    $groups: context['groups'],
    ...(isBrowser ? { $current_url: location.href, $referrer: document.referrer } : { $is_server: true }),
  },
})
