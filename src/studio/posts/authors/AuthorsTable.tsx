'use client'

import { PenLine, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Author } from '#posts/post'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Avatar } from '#ui/Avatar'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { Thumbnail } from '../Thumbnail'
import { removeAuthor } from './actions'
import { AuthorDialog } from './AuthorDialog'

interface AuthorRow {
  author: Author
  /** The number of published posts. */
  posts: number
}

interface AuthorsTableProps {
  slug: string
  rows: readonly AuthorRow[]
  whyNot: string | undefined
  create: ReactNode
}

const columns: TableColumn<AuthorRow>[] = [
  { key: 'name', header: 'Author', truncate: true, cell: ({ author }) => <Name author={author} /> },
  {
    key: 'bio',
    header: 'Bio',
    wideOnly: true,
    cell: ({ author }) => (
      <span className="line-clamp-2 max-w-md min-w-40 text-muted">{author.bio || '–'}</span>
    ),
  },
  { key: 'posts', header: 'Posts', numeric: true, cell: ({ posts }) => number(posts) },
]

export function AuthorsTable({ slug, rows, whyNot, create }: AuthorsTableProps) {
  return (
    <Table
      caption="Authors"
      columns={columns}
      rows={rows}
      rowKey={({ author }) => author.slug}
      empty={
        <EmptyMessage
          icon={<Icon of={PenLine} size="lg" />}
          title="No authors yet"
          body="Add authors with a picture and a short bio. Files in a folder name them by URL slug."
          action={create}
        />
      }
      actions={actionsFor(slug, whyNot)}
    />
  )
}

const actionsFor =
  (slug: string, whyNot: string | undefined) =>
  ({ author }: AuthorRow) => (
    <>
      <AuthorDialog slug={slug} author={author} whyNot={whyNot} />
      <Remove slug={slug} author={author} whyNot={whyNot} />
    </>
  )

function Name({ author: { name, slug, picture } }: { author: Author }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {picture ? (
        <Thumbnail address={picture.address} className="size-7 shrink-0 rounded-full object-cover" />
      ) : (
        <Avatar name={name} />
      )}
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-muted">{slug}</span>
      </span>
    </span>
  )
}

function Remove({ slug, author, whyNot }: { slug: string; author: Author; whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title={`Remove ${author.name}?`}
      body={
        <>
          Their author page is removed. This cannot be undone.
          {question}
        </>
      }
      confirmLabel="Remove author"
      onConfirm={() => make(() => removeAuthor(slug, author.slug), { saved: `${author.name} removed` })}
      trigger={
        <IconButton label={`Remove ${author.name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />
      }
    />
  )
}
