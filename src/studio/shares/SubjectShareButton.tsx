import type { ShareSubject } from '#shares/shares'
import { may } from '#projects/access'
import { getProduct } from '#studio/product'
import { type Opened, whyNot } from '#studio/parts/open-project'
import { clockOf } from '#studio/parts/RelativeTime'
import type { ReportMetrics } from './ReportPartsFields'
import { ShareButton } from './ShareButton'

interface SubjectShareButtonProps extends Opened {
  subject: ShareSubject
  name: string
  /** The metrics of a shared experiment. */
  metrics?: ReportMetrics
  /** Why no member can share it. */
  unless?: string
}

/** The share button; enabled for members who may share. */
export async function SubjectShareButton({
  project,
  viewer,
  role,
  subject,
  name,
  metrics = [],
  unless,
}: SubjectShareButtonProps) {
  const mayShare = may('shares:write', project.id, viewer)
  return (
    <ShareButton
      slug={project.slug}
      subject={subject}
      name={name}
      metrics={metrics.map(({ id, name: label }) => ({ id, name: label }))}
      shares={mayShare ? await getProduct().shares.list(project.id, viewer) : []}
      clock={clockOf(project)}
      whyNot={unless ?? whyNot('shares:write', role)}
    />
  )
}
