import { type Author, authorAddress } from '#posts/post'

/** The author's picture, or the first letter of their name in its place. */
export function AuthorPicture({ author, size }: { author: Author; size: number }) {
  const { picture, name } = author
  if (!picture)
    return (
      <span className="face" aria-hidden="true" data-size={size}>
        {Array.from(name)[0]}
      </span>
    )
  return (
    <img
      className="face"
      src={picture.address}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      data-size={size}
    />
  )
}

export function AuthorLinks({ author }: { author: Author }) {
  if (author.links.length === 0) return null
  return (
    <ul className="author-links">
      {author.links.map(({ label, address }) => (
        <li key={address}>
          <a href={address} rel="me noopener">
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

export function AuthorBox({ author, label }: { author: Author; label: string }) {
  return (
    <div className="author-box">
      <AuthorPicture author={author} size={56} />
      <div>
        <p className="author-label">{label}</p>
        <p className="author-name" dir="auto">
          <a href={authorAddress(author.slug)} rel="author">
            {author.name}
          </a>
        </p>
        {author.bio && <p dir="auto">{author.bio}</p>}
        <AuthorLinks author={author} />
      </div>
    </div>
  )
}
