/** A picture of this server, as it is: what it shows is said beside it unless it is said here. */
export const Thumbnail = ({
  address,
  alt = '',
  className,
}: {
  address: string
  alt?: string
  className: string
}) => (
  // a smaller copy would gain no bytes
  // oxlint-disable-next-line nextjs/no-img-element
  <img src={address} alt={alt} className={className} />
)
