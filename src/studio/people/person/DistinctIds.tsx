import type { PersonProfile } from '#insights/people/person-directory'
import { CopyableId } from '#ui/copy/CopyableId'
import { pluralWord } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { SplitPerson } from './SplitPerson'

/** The distinct ids of a person; those that came with a merge can be split off again. */
export async function DistinctIds({
  slug,
  person: { id, name, distinctIds },
}: {
  slug: string
  person: Pick<PersonProfile, 'id' | 'name' | 'distinctIds'>
}) {
  const { project, viewer, role } = await openProject(slug)
  const { separable, pending } = await getProduct().people.splits.of(project.id, id, viewer)
  // an id that was split off stays with its new person
  const leaving = new Set(pending.filter(({ from }) => from === id).map(({ distinctId }) => distinctId))
  const staying = distinctIds.filter((distinctId) => !leaving.has(distinctId))

  return (
    <Panel title={pluralWord(staying.length, 'Distinct id')} footer={footerFor(pending.length)}>
      <ul className="flex flex-col gap-1">
        {staying.map((distinctId) => (
          <li key={distinctId} className="flex items-center justify-between gap-2">
            <CopyableId id={distinctId} label="Distinct id" />
            {separable.includes(distinctId) && (
              <SplitPerson
                slug={slug}
                person={id}
                name={name}
                distinctId={distinctId}
                whyNot={whyNot('persons:write', role)}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const footerFor = (pending: number): string | undefined =>
  pending === 0 ? undefined : 'Events are being moved after a split. This takes up to 20 minutes.'
