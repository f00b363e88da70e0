import type { EvaluationDetails, FlagValue, HookContext } from '@openfeature/core'

/**
 * Reports to Tilth which flags code evaluated, with OpenFeature's web SDK and with its server SDK:
 *
 *     OpenFeature.addHooks(exposureHook('https://tilth.example.com', 'phc_…'))
 *
 * A copy of this file may be changed and used by anyone, without conditions.
 */
export function exposureHook(address: string, project: string) {
  const isServer = typeof document === 'undefined'
  const reported = new Set<string>()
  let batch: object[] = []

  function send(): void {
    const body = JSON.stringify({ api_key: project, sent_at: new Date(), batch })
    batch = []
    fetch(`${address}/batch/`, { method: 'POST', body, keepalive: !isServer }).catch(() => {})
  }

  return {
    after({ flagKey, context }: HookContext, { flagMetadata }: EvaluationDetails<FlagValue>): void {
      const { exposure, version } = flagMetadata
      const { targetingKey, groups } = context
      const key = JSON.stringify([targetingKey, groups, flagKey, exposure])
      if (exposure === undefined || reported.has(key)) return
      if (reported.size === 20_000) reported.clear()
      reported.add(key)
      if (batch.length === 0) setTimeout(send, 250)
      batch.push({
        event: '$feature_flag_called',
        distinct_id: targetingKey,
        timestamp: new Date(),
        properties: {
          $feature_flag: flagKey,
          $feature_flag_response: exposure,
          $feature_flag_version: version,
          $groups: groups,
          $is_server: isServer,
        },
      })
    },
  }
}
