'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { type AuditAction, auditActions } from '#projects/audit-actions'
import { Combobox, type ComboboxOption } from '#ui/form/Combobox'
import { LinkButton } from '#ui/LinkButton'
import { type AuditFilter, paths } from '#studio/paths'

const actions = Object.entries(auditActions).map(([value, label]) => ({ value, label: beginning(label) }))

/** "changed the role of" begins a sentence that a name ends. */
function beginning(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} …`
}

/** The address holds the filters, so that they can be shared and undone with Back. */
export function AuditFilters({
  slug,
  filter: answered,
  people,
}: {
  slug: string
  filter: AuditFilter & { action?: AuditAction }
  people: ComboboxOption[]
}) {
  const [filter, ask] = useAddressParameters<AuditFilter>(
    answered,
    (next) => paths.audit(slug, { ...next, before: undefined }),
    { by: 'push' },
  )
  const isNarrowed = filter.action !== undefined || filter.actor !== undefined

  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-full sm:w-64">
        <Combobox
          aria-label="Action"
          placeholder="All actions"
          options={actions}
          value={filter.action ?? null}
          onChange={(action) => ask({ action: action ?? undefined })}
        />
      </div>
      <div className="w-full sm:w-64">
        <Combobox
          aria-label="Actor"
          placeholder="All actors"
          options={people}
          value={filter.actor ?? null}
          onChange={(actor) => ask({ actor: actor ?? undefined })}
        />
      </div>
      {isNarrowed && (
        <LinkButton href={paths.audit(slug)} variant="quiet">
          Clear filters
        </LinkButton>
      )}
    </div>
  )
}
