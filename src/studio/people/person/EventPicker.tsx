'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { Combobox } from '#ui/form/Combobox'
import { paths } from '#studio/paths'

/** Filters a person's events by name; the filter is in the address. */
export function EventPicker({
  slug,
  person,
  event: answered,
  events,
}: {
  slug: string
  person: string
  event: string | undefined
  events: readonly { name: string; label: string; isVerified: boolean }[]
}) {
  const [{ event }, ask] = useAddressParameters<{ event: string | undefined }>(
    { event: answered },
    (next) => paths.person(slug, person, next),
    { by: 'push' },
  )

  return (
    <div className="w-52">
      <Combobox
        aria-label="Event"
        placeholder="Any event"
        options={events.map(({ name, label, isVerified }) => ({ value: name, label, isVerified }))}
        value={event ?? null}
        onChange={(next) => ask({ event: next ?? undefined })}
      />
    </div>
  )
}
