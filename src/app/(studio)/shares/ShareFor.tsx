import type { ShareSubject } from '../../../dashboards/shares'
import { may } from '../../../projects/access'
import { getProduct } from '../../product'
import { type Opened, whyNot } from '../open-project'
import { ShareButton } from './ShareButton'

interface ShareForProps extends Opened {
  subject: ShareSubject
  name: string
  /** Why it is not shared, whoever asks. */
  unless?: string
}

/** The button by which something is shared, for whoever may. */
export async function ShareFor({ project, viewer, role, subject, name, unless }: ShareForProps) {
  const mayShare = may('shares:write', project.id, viewer)
  return (
    <ShareButton
      slug={project.slug}
      subject={subject}
      name={name}
      shares={mayShare ? await getProduct().shares.list(project.id, viewer) : []}
      clock={{ now: new Date(), timeZone: project.timeZone }}
      whyNot={unless ?? whyNot('shares:write', role)}
    />
  )
}
