import { ChevronDown, ChevronRight } from 'lucide-react'
import { ScrollKeepingLinks, TextLink } from '#ui/Anchor'
import { plural } from '#ui/format'
import { Icon } from '#ui/Icon'

/** The fold that a list keeps its system events under; `href` leads to the same page with it open, or closed again. */
export const SystemEventsLink = ({
  count,
  isShown,
  href,
}: {
  count: number
  isShown: boolean
  href: string
}) => (
  <ScrollKeepingLinks>
    <TextLink href={href}>
      <Icon of={isShown ? ChevronDown : ChevronRight} /> {isShown && 'Hide '}
      {plural(count, 'system event')}
    </TextLink>
  </ScrollKeepingLinks>
)
