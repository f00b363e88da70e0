import { Badge } from '#ui/Badge'

/** A name as it is shown and as it is sent, with what is known of it. */
export function DefinedName({
  label,
  name,
  about,
  isHidden,
  isVerified,
}: {
  label: string
  name: string
  about: string | undefined
  isHidden: boolean
  isVerified: boolean
}) {
  return (
    <span className="block min-w-0 py-0.5">
      <span className="flex min-w-0 items-center gap-2">
        <bdi className="truncate font-medium" title={name}>
          {label}
        </bdi>
        {label !== name && (
          <code className="truncate font-mono @max-lg/table:hidden text-2xs text-faint">{name}</code>
        )}
        {isVerified && <Badge tone="success">Verified</Badge>}
        {isHidden && <Badge>Hidden</Badge>}
      </span>
      {about && (
        <span className="block truncate text-xs text-muted" title={about}>
          {about}
        </span>
      )}
    </span>
  )
}
