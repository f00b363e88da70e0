import { Compass } from 'lucide-react'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { fallbackFor } from '#ui/page/status-titles'
import { TitleWhileShown } from '#ui/page/TitleWhileShown'
import { paths } from '#studio/paths'
import { DidYouMean } from './DidYouMean'

const { title } = fallbackFor(404)

/** Shown for a missing page and for a project of others alike, so that it does not reveal which projects exist. */
export function MissingPage() {
  return (
    <>
      <TitleWhileShown title={title} />
      <EmptyMessage
        icon={<Icon of={Compass} size="lg" />}
        title={title}
        body="The URL may be mistyped, the page may have moved, or you may not have access to its project."
        action={
          <div className="flex flex-col items-center gap-4">
            <DidYouMean />
            <LinkButton href={paths.studio}>Go to the studio</LinkButton>
          </div>
        }
      />
    </>
  )
}
