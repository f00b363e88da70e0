import { StatusPage } from '#ui/page/StatusPage'
import { fallbackFor, frontPage } from '#ui/page/status-titles'
import { TitleWhileShown } from '#ui/page/TitleWhileShown'

const notFound = fallbackFor(404)

/** For a page that finds nothing to show. By then Next has taken the title from the page, not from what replaces it. */
export function NotFoundPage() {
  return (
    <>
      <TitleWhileShown title={notFound.title} />
      <StatusPage status={404} {...notFound} link={frontPage} />
    </>
  )
}
