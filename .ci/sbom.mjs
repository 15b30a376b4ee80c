/**
 * Lists the contents of the package as a bill of materials, CycloneDX 1.5: each production package of the lock file, with version, license and
 * checksum. `npm sbom --omit dev` leaves out packages that a development package needs, too. The list depends on neither time nor machine.
 */
import { readFileSync } from 'node:fs';

/** @param lock - text of `package-lock.json`, version 3. Returns the document as text. */
export function createSbom(lock) {
  const { packages } = JSON.parse(lock);
  const { name, version, license, dependencies = {}, optionalDependencies = {} } = packages[''];
  const places = Object.keys(packages).filter((place) => isShipped(packages[place], place));
  const own = { ...dependencies, ...optionalDependencies };
  const graph = [
    { ref: purlOf(name, version), dependsOn: needsOf('', own, packages) },
    ...places.map((place) => {
      const { dependencies: needs = {}, optionalDependencies: may = {} } = packages[place];
      const ref = purlOf(nameOf(place), packages[place].version);
      return { ref, dependsOn: needsOf(place, { ...needs, ...may }, packages) };
    }),
  ];
  const components = new Map(places.map((place) => componentOf(place, packages[place])));
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        ...{ type: 'library', 'bom-ref': purlOf(name, version), name, version },
        ...{ purl: purlOf(name, version), licenses: licensesOf(license) },
      },
    },
    components: [...components.values()],
    dependencies: graph.filter(({ ref }, at) => graph.findIndex((one) => one.ref === ref) === at),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Packages only for development are not shipped. Packages that an optional package needs as well (`devOptional`) are. */
function isShipped({ dev, peer }, place) {
  return place !== '' && !dev && !peer;
}

function componentOf(place, { version, license, integrity, optional, devOptional }) {
  const name = nameOf(place);
  const purl = purlOf(name, version);
  const component = {
    ...{ type: 'library', 'bom-ref': purl, name, version, purl },
    scope: (optional ?? devOptional) ? 'optional' : 'required',
    ...(license && { licenses: licensesOf(license) }),
    ...(integrity && { hashes: [hashOf(integrity)] }),
  };
  return [purl, component];
}

/** References to the packages that a package names, found as Node finds them: in its own folder first, then in the folders around it. */
function needsOf(place, names, packages) {
  const found = Object.keys(names).flatMap((name) => {
    for (
      let folder = place;
      ;
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
    ) {
      const entry = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
      if (entry) return [purlOf(name, entry.version)];
      if (folder === '') return [];
    }
  });
  return [...new Set(found)].sort();
}

function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licensesOf(license) {
  return license.includes(' ')
    ? [{ expression: license.replace(/^\((.*)\)$/, '$1') }]
    : [{ license: { id: license } }];
}

function hashOf(integrity) {
  const [algorithm, digest] = integrity.split(' ')[0].split('-');
  const alg = algorithm.replace('sha', 'SHA-');
  return { alg, content: Buffer.from(digest, 'base64').toString('hex') };
}

/** The bill of this checkout. */
export function readSbom(root) {
  return createSbom(readFileSync(`${root}/package-lock.json`, 'utf8'));
}
