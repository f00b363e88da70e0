import { Bookmark } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { type PeopleQuestion, paths } from '#studio/paths'

/** Leads to a new cohort that begins with the conditions of the list. */
export function SaveListAsCohort({
  slug,
  question: { period, cohort, filter, search },
  whyNot,
}: {
  slug: string
  question: PeopleQuestion
  /** Why cohorts cannot be saved; undefined if they can. */
  whyNot: string | undefined
}) {
  const reason = whyNot ?? (search && 'A cohort has no search. Use a filter instead.')
  const look = { size: 'sm', icon: <Icon of={Bookmark} size="sm" /> } as const
  return reason ? (
    <Button {...look} disabledReason={reason}>
      Save as cohort…
    </Button>
  ) : (
    <LinkButton {...look} href={paths.newCohort(slug, { period, cohort, filter })}>
      Save as cohort…
    </LinkButton>
  )
}
