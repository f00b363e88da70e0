export { metadata, CollectionPage as default } from '#studio/settings/collection/CollectionPage'
