'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { Select } from '#ui/form/Select'
import { type FlagView, paths } from '#studio/paths'

/** Chooses the environment. It is in the address, and unsaved changes stay. */
export function EnvironmentChoice({
  slug,
  flagKey,
  view,
  environment: answered,
  environments,
}: {
  slug: string
  flagKey: string
  view: FlagView
  environment: string
  environments: readonly string[]
}) {
  const [{ environment }, ask] = useAddressParameters(
    { environment: answered },
    (next) => paths.flag(slug, flagKey, view, next),
    { by: 'push' },
  )
  return (
    <Select
      fit
      aria-label="Environment"
      lead="In"
      options={environments.map((value) => ({ value, label: value }))}
      value={environment}
      onChange={(next) => ask({ environment: next })}
    />
  )
}
