import { Compass } from 'lucide-react'
import { EmptyMessage } from '../../ui/EmptyMessage'
import { Icon } from '../../ui/Icon'
import { LinkButton } from '../../ui/LinkButton'
import { fallbackFor } from '../../ui/status-titles'
import { TitleWhileShown } from '../../ui/TitleWhileShown'
import { paths } from '../paths'

const { title } = fallbackFor(404)

/** An address without a page, or a project one does not belong to: which of the two is nobody's business. */
export function MissingPage() {
  return (
    <>
      <TitleWhileShown title={title} />
      <EmptyMessage
        icon={<Icon of={Compass} size="lg" />}
        title={title}
        body="The address may be mistyped, the page may have moved, or the project it belongs to is not one of yours."
        action={<LinkButton href={paths.studio}>Go to the studio</LinkButton>}
      />
    </>
  )
}
