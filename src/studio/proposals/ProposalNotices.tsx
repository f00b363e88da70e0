import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import type { Opened } from '#studio/parts/open-project'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'

/** The open proposals about the thing of a page, by the path of that page below the project's. */
export async function ProposalNotices({ opened, thing }: { opened: Opened; thing: string }) {
  const { project, viewer } = opened
  const open = await getProduct().proposals.list(project.id, viewer, { state: 'open', thing })
  return open.map(({ id, sentence, proposedBy }) => (
    <Notice
      key={id}
      title={`${proposedBy} proposes a change`}
      action={<LinkButton href={paths.proposal(project.slug, id)}>Look at it</LinkButton>}
    >
      {sentence}
    </Notice>
  ))
}
