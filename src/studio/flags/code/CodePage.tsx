import type { Metadata } from 'next'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { CopyField } from '#ui/copy/CopyField'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { installationAddress } from '#studio/connect/address'
import { recentLibraries } from '#studio/connect/libraries'
import type { SearchParams } from '#studio/search-params'
import { FlagFrame } from '../FlagFrame'
import { type FlagParams, openFlag, titleOf } from '../open-flag'
import { codeGuideIn, codeGuideNamed, codeGuides, codeGuidesFor } from './snippets'

interface CodePageProps {
  params: FlagParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: CodePageProps): Promise<Metadata> => titleOf(params, 'Code')

/** The code that requests the flag, with this project's key and address. */
export async function CodePage({ params, searchParams }: CodePageProps) {
  const search = await searchParams
  const opened = await openFlag(params, search)
  const { project, viewer, flag, environment } = opened
  const [all, libraries] = await Promise.all([
    getProduct().flags.environments.list(project.id, viewer),
    recentLibraries(project.id, viewer),
  ])
  const writeKey = all.find(({ name }) => name === environment)?.writeKey ?? project.writeKey
  const address = await installationAddress()
  const chosen = codeGuideIn(search['with'], flag, libraries)
  const { about, snippets, note } = codeGuideNamed(chosen, flag)

  return (
    <FlagFrame {...opened} view="code">
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Panel title="Choose your SDK">
          <LinkTabs
            label="Clients"
            tabs={codeGuidesFor(flag).map((name) => ({
              label: codeGuides[name].label,
              href: paths.flag(project.slug, flag.key, 'code', { environment, with: name }),
              current: name === chosen,
            }))}
          />
          <div className="mt-4 flex flex-col gap-4">
            <p className="text-pretty text-muted">{about}</p>
            {snippets({ address, writeKey, flag }).map((snippet) => (
              <CodeBlock key={snippet.title} {...snippet} />
            ))}
            {note && <p className="text-pretty text-muted">{note}</p>}
          </div>
        </Panel>
        <Panel title="Manual set-up" description="The values that a client needs.">
          <div className="flex flex-col gap-4">
            <CopyField label="Flag" value={flag.key} />
            <CopyField label="Address" value={address} />
            <CopyField
              label={`Write key of ${environment}`}
              value={writeKey}
              hint="It chooses the environment. Public by design: it can only send events and evaluate flags."
            />
          </div>
        </Panel>
      </div>
    </FlagFrame>
  )
}
