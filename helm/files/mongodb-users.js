// For mongosh, in the pod of MongoDB: gives each service a user that may read and write the service's databases, and no other.
// It runs at each start, so it changes the users of earlier releases, too.
const { env } = process;
const root = `mongodb://parley:${encodeURIComponent(env.ROOT_PASSWORD)}@127.0.0.1:27017/?authSource=admin`;
const admin = new Mongo(root).getDB('admin');

for (const [service, databases] of Object.entries(JSON.parse(env.RIGHTS))) {
  const [, user, password] = /^mongodb:\/\/([^:@/]+):([^@/]+)@/.exec(env[`${service.toUpperCase()}_URI`]) ?? [];
  if (user !== service) throw new Error(`${service}-uri must be mongodb://${service}:PASSWORD@...`);
  const roles = databases.map((db) => ({ role: 'readWrite', db }));
  const { users } = admin.runCommand({ usersInfo: service });
  const verb = users.length === 0 ? 'createUser' : 'updateUser';
  const { ok, errmsg } = admin.runCommand({ [verb]: service, pwd: decodeURIComponent(password), roles });
  if (!ok) throw new Error(`${verb} ${service}: ${errmsg}`);
  print(`${service} may read and write ${databases.join(', ')}`);
}
