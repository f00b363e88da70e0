import type { Metadata } from 'next'
import { linkStateOf } from '#surveys/links/survey-link'
import type { Survey } from '#surveys/survey'
import { CopyField } from '#ui/copy/CopyField'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { surveyLink, testLink } from '#studio/paths'
import { getProduct } from '#studio/product'
import { whyNot as whyNotFor } from '#studio/parts/open-project'
import { DeliveriesTable } from '#studio/recipients/DeliveriesTable'
import { membersOf } from '#studio/recipients/project-members'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { hindrancesOf } from '#studio/recipients/recipients'
import { installationAddress } from '#studio/connect/address'
import { openSurvey, type SurveyParams, titleOf } from '../open-survey'
import { SurveyFrame } from '../SurveyFrame'
import { DownloadableQrCode } from './DownloadableQrCode'
import { LettersPanel } from './LettersPanel'
import { LinksPanel } from './LinksPanel'
import { NotifyPanel } from './NotifyPanel'
import { WebhookPanel } from './WebhookPanel'

interface SharePageProps {
  params: SurveyParams
}

export const generateMetadata = ({ params }: SharePageProps): Promise<Metadata> => titleOf(params, 'Share')

/** The ways by which a survey reaches people away from the site, and by which answers leave. */
export async function SharePage({ params }: SharePageProps) {
  const { project: slug, survey: id } = await params
  const opened = await openSurvey(slug, id)
  const { project, viewer, role, survey } = opened
  const { surveys, alerts, people } = getProduct()
  const [members, notices, links, webhook, deliveries, mailings, allCohorts] = await Promise.all([
    membersOf(project.id, viewer),
    surveys.letters(survey, viewer),
    surveys.links.list(project.id, id, viewer),
    surveys.webhooks.find(project.id, id, viewer),
    surveys.webhooks.deliveries(project.id, id, viewer),
    surveys.mailings.list(project.id, id, viewer),
    people.cohorts.names(project.id, viewer),
  ])
  const now = new Date()
  const address = surveyLink(await installationAddress(), id)
  const shared = {
    slug,
    survey: id,
    clock: { now, timeZone: project.timeZone },
    whyNot: whyNotFor('surveys:write', role),
  }

  return (
    <SurveyFrame {...opened} view="share">
      <div className="flex flex-col gap-6">
        <AddressPanels survey={survey} address={address} testKey={surveys.answers.testKeyOf(survey)} />
        <LinksPanel
          {...shared}
          links={links.map((link) => ({
            id: link.id,
            recipient: [link.label, link.email, link.distinctId].filter(Boolean).join(', '),
            state: linkStateOf(link, now),
            createdAt: link.createdAt,
            answeredAt: link.answeredAt,
          }))}
        />
        {!alerts.canMail && <NoMailServer slug={slug} untilThen="Links and webhooks work without it." />}
        <LettersPanel
          {...shared}
          cohorts={allCohorts}
          defaultSubject={survey.name}
          mailings={mailings.map(({ id: mailing, subject, createdAt, letters }) => ({
            id: mailing,
            subject,
            createdAt,
            waiting: letters.filter(({ state }) => state === 'waiting' || state === 'sending').length,
            sent: letters.filter(({ state }) => state === 'sent').length,
            failed: letters.filter(({ state }) => state === 'failed').length,
          }))}
        />
        <NotifyPanel
          {...shared}
          recipients={survey.notify}
          members={members}
          hindrances={hindrancesOf(survey.notify, notices.obstacles, members)}
        />
        {notices.told.length > 0 && (
          <DeliveriesTable deliveries={notices.told} clock={shared.clock} members={members} />
        )}
        <WebhookPanel
          {...shared}
          url={webhook?.url}
          deliveries={deliveries.map(({ dueAt: _, ...delivery }) => delivery)}
        />
      </div>
    </SurveyFrame>
  )
}

interface AddressPanelsProps {
  survey: Survey
  address: string
  testKey: string
}

/** The addresses of the hosted page beside each other. */
const AddressPanels = ({ survey, address, testKey }: AddressPanelsProps) => (
  <div className="grid items-start gap-6 *:min-w-0 xl:grid-cols-2">
    <HostedPagePanel survey={survey} address={address} />
    <TestLinkPanel address={testLink(address, testKey)} />
  </div>
)

const pageDescription = (needsLink: boolean): string =>
  needsLink ? 'Responses by personal links only.' : 'Anyone with the URL can respond.'

function HostedPagePanel({ survey: { id, hostedPage }, address }: { survey: Survey; address: string }) {
  if (!hostedPage.isOpen)
    return (
      <Notice tone="warning" title="The hosted page is closed">
        Links and e-mails open it. Turn it on in Build → Launch.
      </Notice>
    )
  return (
    <Panel title="Hosted page" description={pageDescription(hostedPage.needsLink)}>
      <div className="flex flex-col gap-4">
        <CopyField label="Page address" value={address} />
        {!hostedPage.needsLink && <DownloadableQrCode text={address} name={`survey-${id}`} />}
      </div>
    </Panel>
  )
}

const TestLinkPanel = ({ address }: { address: string }) => (
  <Panel
    title="Test link"
    description="Opens the survey’s page before the launch too. Its answers are marked as tests and left out of the results."
  >
    <CopyField
      label="Test address"
      value={address}
      hint="For members: everyone who has it can send test answers."
    />
  </Panel>
)
