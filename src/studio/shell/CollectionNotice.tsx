import { type CollectionState, describeTrouble } from '#ingest/collection-state'
import { Notice } from '#ui/page/Notice'

/** Shown above every page of a project: what is missing from its figures, and what to do. */
export function CollectionNotice({ state }: { state: CollectionState | undefined }) {
  const troubles = state?.troubles ?? []
  if (troubles.length === 0) return null
  return (
    <div className="flex flex-col gap-2 px-4 pt-4 sm:px-6 lg:px-8">
      {troubles.map((trouble) => {
        const { title, remedy, blocks } = describeTrouble(trouble)
        return (
          <Notice key={trouble.kind} tone={blocks ? 'danger' : toneOf(trouble.kind)} title={title}>
            {remedy}
          </Notice>
        )
      })}
    </div>
  )
}

const toneOf = (kind: string): 'info' | 'warning' => (kind === 'behind' ? 'info' : 'warning')
