export { generateMetadata, SubscribersPage as default } from '#studio/posts/letters/SubscribersPage'
