// Built into every hook bundle: what the source uses and Node 18 does not have yet. A test compares the bundles with it.
// oxlint-disable no-extend-native -- a hook is a process of its own
Array.prototype.toSorted ??= function toSorted(compare) {
  return [...this].sort(compare);
};

Promise.withResolvers ??= function withResolvers() {
  const deferred = {};
  deferred.promise = new this((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
};
