import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { PagePagination } from '#ui/table/Pagination'
import { type ImagesFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { pageOf, type SearchParams, textOf } from '#studio/search-params'
import { PostTabs } from '../PostTabs'
import { ImageFilters } from './ImageFilters'
import { ImageGrid } from './ImageGrid'
import { ImageUploads } from './ImageUploads'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Images' }

interface ImagesPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const perPage = 48

/** The library of uploaded pictures. */
export async function ImagesPage({ params, searchParams }: ImagesPageProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const filter = filterIn(await searchParams)
  const { search, used, page = 1 } = filter
  const { imageLibrary } = getProduct().posts
  const asked = { search, used, from: (page - 1) * perPage, count: perPage }
  const listed = await tryRead(() => imageLibrary.list(project.id, viewer, asked))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name, timeZone } = project
  const { images, total } = listed.found
  const reason = whyNot('posts:write', role)
  const isFiltered = search !== undefined || used !== undefined
  return (
    <Page
      title="Images"
      description="Uploaded pictures of posts, pages, authors and the site. Drop or paste new ones anywhere on this page."
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Posts', href: paths.posts(slug) },
      ]}
      tabs={<PostTabs slug={slug} current="posts" />}
    >
      <ImageUploads slug={slug} whyNot={reason}>
        {(total > 0 || isFiltered) && <ImageFilters slug={slug} filter={filter} total={total} />}
      </ImageUploads>
      <ImageGrid
        slug={slug}
        images={images}
        clock={clockOf({ timeZone })}
        whyNot={reason}
        isFiltered={isFiltered}
      />
      {total > perPage && (
        <PagePagination
          label="Pages of images"
          page={page}
          pages={Math.ceil(total / perPage)}
          href={(to) => paths.images(slug, { search, used, page: to })}
        />
      )}
    </Page>
  )
}

/** Ignores invalid values in the address. */
const filterIn = ({ search, used, page }: SearchParams): ImagesFilter => ({
  search: textOf(search)?.slice(0, 200),
  used: (['yes', 'no'] as const).find((one) => one === used),
  page: pageOf(page),
})
