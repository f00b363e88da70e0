'use client'

import { useRouter } from 'next/navigation'
import { Combobox } from '#ui/form/Combobox'
import { paths } from '#app/paths'

/** Filters a person's events by name; the filter is in the address. */
export function EventPicker({
  slug,
  person,
  event,
  events,
}: {
  slug: string
  person: string
  event: string | undefined
  events: readonly { name: string; label: string }[]
}) {
  const router = useRouter()

  return (
    <div className="w-52">
      <Combobox
        aria-label="Event"
        placeholder="Any event"
        options={events.map(({ name, label }) => ({ value: name, label }))}
        value={event ?? null}
        onChange={(next) => router.push(paths.person(slug, person, { event: next ?? undefined }))}
      />
    </div>
  )
}
