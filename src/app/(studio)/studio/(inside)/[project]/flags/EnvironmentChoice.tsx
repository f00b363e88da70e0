'use client'

import { useRouter } from 'next/navigation'
import { Select } from '#ui/form/Select'
import { type FlagView, paths } from '#app/paths'

/** Chooses the environment. It is in the address, and unsaved changes stay. */
export function EnvironmentChoice({
  slug,
  flagKey,
  view,
  environment,
  environments,
}: {
  slug: string
  flagKey: string
  view: FlagView
  environment: string
  environments: readonly string[]
}) {
  const router = useRouter()
  return (
    <Select
      fit
      aria-label="Environment"
      lead="In"
      options={environments.map((value) => ({ value, label: value }))}
      value={environment}
      onChange={(next) => router.push(paths.flag(slug, flagKey, view, { environment: next }))}
    />
  )
}
