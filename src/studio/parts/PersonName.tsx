import type { PersonLabel } from '#insights/people/person-label'
import { Mark } from '#ui/Mark'

/** A person by mark and name, the same in every list; with a line below about what they did, where there is room. */
export function PersonName({
  label: { name, email, mark },
  id,
  story,
}: {
  label: PersonLabel
  /** The id that a site gave them, shown where it can be read. */
  id?: string | undefined
  story?: string | undefined
}) {
  const more = email ?? (id !== undefined && id !== name && isReadableId(id) ? id : undefined)
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Mark {...mark} size={story ? 'md' : 'sm'} />
      <span className="min-w-0">
        <span className="flex min-w-0 items-baseline gap-2">
          <bdi className="truncate">{name}</bdi>
          {more !== undefined && (
            <bdi className="min-w-0 truncate text-xs font-normal text-muted">{more}</bdi>
          )}
        </span>
        {story && <span className="block truncate text-xs font-normal text-muted">{story}</span>}
      </span>
    </span>
  )
}

/** Ids that clients generate are digits and letters without words; people read only those that a site has chosen. */
const isReadableId = (id: string): boolean => {
  const own = id.replace(/^\$device:/, '')
  if (own === '' || own.length > 60) return false
  const isHexadecimal = own.length >= 12 && /^[\da-f.:_-]+$/i.test(own)
  const isRandom = own.length >= 20 && /\d/.test(own) && /^[\w-]+$/.test(own) && !own.includes('_')
  return !isHexadecimal && !isRandom
}
