import { Anchor } from '#ui/Anchor'
import { Notice } from '#ui/page/Notice'
import { paths } from '#studio/paths'

/** Warns that there is no mail server. Each page says what holds until then. */
export function NoMailServer({ slug, untilThen }: { slug: string; untilThen: string }) {
  return (
    <Notice tone="warning" title="E-mail isn’t set up">
      Set up a mail server under <Anchor href={paths.mailServer(slug)}>Settings → E-mail</Anchor>. {untilThen}
    </Notice>
  )
}
