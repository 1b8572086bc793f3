# Kumiko alone: docker build -t kumiko . && docker run --rm -v "$PWD:/work" kumiko run sgemm --html /work/sgemm.html
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN scripts/release.sh /out "linux/$(go env GOARCH)" && mv /out/kumiko-* /out/kumiko

FROM scratch
COPY --from=build /out/kumiko /kumiko
WORKDIR /work
ENTRYPOINT ["/kumiko"]
