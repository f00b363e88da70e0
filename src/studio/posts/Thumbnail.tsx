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
  // nothing is gained by making it smaller again
  // oxlint-disable-next-line nextjs/no-img-element
  <img src={address} alt={alt} className={className} />
)
